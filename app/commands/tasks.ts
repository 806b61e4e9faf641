import { navigate } from '../route/navigation.ts'
import { newestFirst, type World } from '../state/world.ts'
import { text } from '../text.ts'
import type { Command } from './command.ts'

/** Tasks are found in the palette too: going to one is a command like any other. */
export const taskCommands = (tasks: World['tasks']): Command[] =>
  newestFirst(tasks).map((task) => ({
    id: `open.${task.id}`,
    group: 'go',
    label: task.goal,
    keywords: text.task.states[task.state],
    perform: () => navigate({ screen: 'task', taskId: task.id, step: null }),
  }))
