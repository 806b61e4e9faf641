import type { Task } from '../../main/contract/task.ts'
import { navigate } from '../route/navigation.ts'
import { parseRoute, type Route } from '../route/route.ts'
import { text } from '../text.ts'
import { type News, newsOf } from './news.ts'
import { toast } from './toasts.ts'

/** Says what is new of a task: on the page, and by the system where the page is out of sight and that is allowed. */
export function tellNews(before: Task | undefined, after: Task): void {
  const news = newsOf(before, after)
  if (!news) return
  const to: Route = { screen: 'task', taskId: after.id, step: null }
  const here = parseRoute(window.location.pathname, window.location.search)
  const watched = here.screen === 'task' && here.taskId === after.id
  if (!watched) toast(text.news[news](after.goal), { tone: news === 'failed' ? 'fail' : 'plain', to })
  if (document.hidden || !document.hasFocus()) notify(news, after, to)
}

function notify(news: News, task: Task, to: Route): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  const notification = new Notification(text.news.titles[news], { body: task.goal, tag: task.id, icon: '/favicon.svg' })
  notification.onclick = () => {
    window.focus()
    navigate(to)
    notification.close()
  }
}
