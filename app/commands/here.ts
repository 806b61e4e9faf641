import { Camera, CircleStop, Hand, HandGrab, History, Pause, Play } from 'lucide-react'
import type { Task } from '../../main/contract/task.ts'
import { navigate } from '../route/navigation.ts'
import { call } from '../state/engine.ts'
import { change } from '../state/store.ts'
import { toast, toastError } from '../state/toasts.ts'
import { isOver, withTask } from '../state/world.ts'
import { text } from '../text.ts'
import type { Command, Where } from './command.ts'

const words = text.commands

const openTask = ({ route, world }: Where): Task | undefined =>
  route.screen === 'task' ? world.tasks[route.taskId] : undefined

/** Something to do with the task that is open. */
const onTask = (
  id: string,
  about: Pick<Command, 'label' | 'keywords' | 'icon' | 'shortcut'>,
  when: (task: Task) => boolean,
  work: (taskId: string) => Promise<Task | string>,
): Command => ({
  id,
  group: 'here',
  ...about,
  predicate: (where) => {
    const task = openTask(where)
    return where.world.connection === 'open' && task !== undefined && when(task)
  },
  perform: async (where) => {
    const task = openTask(where)
    if (!task) return
    try {
      const done = await work(task.id)
      if (typeof done === 'string') toast(done)
      else change((world) => withTask(world, done))
    } catch (thrown) {
      toastError(thrown)
    }
  },
})

const running = (task: Task) => task.state === 'running'

export const hereCommands: readonly Command[] = [
  onTask(
    'task.pause',
    { ...words.pause, icon: Pause, shortcut: 'p' },
    (task) => running(task) && !task.hold,
    (taskId) => call('task.pause', { taskId }),
  ),
  onTask(
    'task.resume',
    { ...words.resume, icon: Play, shortcut: 'r' },
    (task) => task.hold === 'paused',
    (taskId) => call('task.resume', { taskId }),
  ),
  onTask(
    'task.takeOver',
    { ...words.takeOver, icon: Hand, shortcut: 't' },
    (task) => running(task) && task.hold !== 'taken_over',
    (taskId) => call('task.takeOver', { taskId }),
  ),
  onTask(
    'task.handBack',
    { ...words.handBack, icon: HandGrab, shortcut: 'h' },
    (task) => task.hold === 'taken_over',
    (taskId) => call('task.handBack', { taskId }),
  ),
  onTask('task.checkpoint', { ...words.checkpoint, icon: Camera, shortcut: 'k' }, running, async (taskId) => {
    await call('task.checkpoint', { taskId })
    return words.checkpointKept
  }),
  onTask(
    'task.stop',
    { ...words.stop, icon: CircleStop, shortcut: 'shift+s' },
    (task) => !isOver(task),
    (taskId) => call('task.stop', { taskId }),
  ),
  {
    id: 'task.time',
    group: 'here',
    ...words.timeOfTask,
    icon: History,
    predicate: (where) => openTask(where) !== undefined,
    perform: (where) => {
      const task = openTask(where)
      if (task) navigate({ screen: 'time', taskId: task.id, snapshotId: null })
    },
  },
]
