import { ArrowLeftRight, Columns2, Diff } from 'lucide-react'
import type { Command, Where } from '../commands/command.ts'
import { navigate } from '../route/navigation.ts'
import { isOver } from '../state/world.ts'
import { tracesText } from '../text/traces.ts'

const words = tracesText.commands

const endedTask = ({ route, world }: Where) => {
  const task = route.screen === 'task' ? world.tasks[route.taskId] : undefined
  return task && isOver(task) ? task : undefined
}
const bothOf = ({ route }: Where) =>
  route.screen === 'compare' && route.b !== null ? { ...route, b: route.b } : undefined

/** What can be done with a trace that is open, or with two of them. */
export const traceCommands: readonly Command[] = [
  {
    id: 'trace.compare',
    group: 'here',
    ...words.compare,
    icon: Columns2,
    predicate: (where) => endedTask(where) !== undefined,
    perform: (where) => {
      const task = endedTask(where)
      if (task) navigate({ screen: 'compare', a: task.id, b: null })
    },
  },
  {
    id: 'compare.swap',
    group: 'here',
    ...words.swap,
    icon: ArrowLeftRight,
    predicate: (where) => bothOf(where) !== undefined,
    perform: (where) => {
      const both = bothOf(where)
      if (both) navigate({ screen: 'compare', a: both.b, b: both.a, ...(both.only && { only: both.only }) })
    },
  },
  {
    id: 'compare.differences',
    group: 'here',
    ...words.differences,
    icon: Diff,
    predicate: (where) => bothOf(where) !== undefined,
    perform: (where) => {
      const both = bothOf(where)
      if (both) navigate({ screen: 'compare', a: both.a, b: both.b, ...(!both.only && { only: 'differences' }) })
    },
  },
]
