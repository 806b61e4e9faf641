/** What a `godhand://` link may ask for. Anyone can put one on a web page, so it can show something, never do it. */
export type DeepLink = { verb: 'run'; goal: string } | { verb: 'task'; taskId: string }

export const SCHEME = 'godhand'
const LONGEST_GOAL = 4000

/** `godhand://run?goal=…` and `godhand://task?id=…`; null for everything else. */
export function parseDeepLink(link: string): DeepLink | null {
  const url = URL.parse(link)
  if (url?.protocol !== `${SCHEME}:` || url.username || url.password || url.port) return null
  if (url.pathname !== '' && url.pathname !== '/') return null
  const verb = url.host.toLowerCase()
  if (verb === 'run') {
    const goal = plain(url.searchParams.get('goal') ?? '')
    return goal !== '' && goal.length <= LONGEST_GOAL ? { verb: 'run', goal } : null
  }
  if (verb === 'task') {
    const taskId = url.searchParams.get('id') ?? ''
    return /^task_[a-z0-9]{1,40}$/.test(taskId) ? { verb: 'task', taskId } : null
  }
  return null
}

/** The address in the app that shows it. A goal lands in the composer behind a question; the person runs it, or not. */
export function pathOfLink(link: DeepLink): string {
  if (link.verb === 'task') return `/tasks/${link.taskId}`
  return `/?goal=${encodeURIComponent(link.goal)}`
}

/** Control and direction characters could make a goal read differently from what it says. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu
const plain = (text: string) => text.replaceAll(/\r?\n/g, ' ').replaceAll(HIDDEN, '').trim()
