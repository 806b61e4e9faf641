import { CornerDownLeft, Hand, Keyboard, MonitorUp, Play, RefreshCw, SquareTerminal } from 'lucide-react'
import { navigate } from '../route/navigation.ts'
import { call, retryConnection } from '../state/engine.ts'
import { change } from '../state/store.ts'
import { toastError } from '../state/toasts.ts'
import { withTask } from '../state/world.ts'
import { text } from '../text.ts'
import type { Command } from './command.ts'
import { show } from './overlay.ts'

const words = text.commands
const connected: Command['predicate'] = ({ world }) => world.connection === 'open'

/** The goal has this id, so that the keyboard can be led to it from anywhere. */
export const goalFieldId = 'goal'

async function playDemo(): Promise<void> {
  try {
    const task = await call('task.run', { goal: text.home.demo.goal, planner: { kind: 'demo' }, keepMachine: true })
    change((world) => withTask(world, task))
    navigate({ screen: 'task', taskId: task.id, step: null })
  } catch (thrown) {
    toastError(thrown)
  }
}

async function newMachine(): Promise<void> {
  try {
    const machine = await call('vm.create', {})
    navigate({ screen: 'machine', machineId: machine.id })
  } catch (thrown) {
    toastError(thrown)
  }
}

function newTask(): void {
  navigate({ screen: 'home' })
  // The page is drawn first; then the field is there.
  requestAnimationFrame(() => document.getElementById(goalFieldId)?.focus())
}

export const doingCommands: readonly Command[] = [
  { id: 'task.new', group: 'do', ...words.newTask, icon: CornerDownLeft, shortcut: 'n', perform: newTask },
  { id: 'task.demo', group: 'do', ...words.demo, icon: Play, predicate: connected, perform: playDemo },
  { id: 'machine.new', group: 'do', ...words.newMachine, icon: MonitorUp, predicate: connected, perform: newMachine },
  {
    id: 'engine.reconnect',
    group: 'do',
    ...words.reconnect,
    icon: RefreshCw,
    predicate: ({ world }) => world.connection !== 'open',
    perform: retryConnection,
  },
]

export const helpCommands: readonly Command[] = [
  {
    id: 'help.commands',
    group: 'help',
    ...words.palettes,
    icon: SquareTerminal,
    shortcut: 'mod+k',
    perform: () => show('palette'),
  },
  {
    id: 'help.shortcuts',
    group: 'help',
    ...words.shortcuts,
    icon: Keyboard,
    shortcut: '?',
    perform: () => show('shortcuts'),
  },
  {
    id: 'help.welcome',
    group: 'help',
    ...words.welcome,
    icon: Hand,
    perform: () => navigate({ screen: 'welcome' }),
  },
]
