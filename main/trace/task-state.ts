import { GodHandError } from '../contract/errors.ts'
import type { TaskState } from '../contract/task.ts'

/** Where a task may go from each state. Preparing can fail too: a full disk, a broken image. */
const next: Record<TaskState, readonly TaskState[]> = {
  queued: ['preparing', 'stopped', 'interrupted'],
  preparing: ['running', 'failed', 'stopped', 'interrupted'],
  running: ['succeeded', 'failed', 'stopped', 'interrupted'],
  succeeded: [],
  failed: [],
  stopped: [],
  interrupted: ['queued'], // when it is resumed
}

/** The state to write, or a thrown conflict. The only way a task's state changes. */
export function nextTaskState(from: TaskState, to: TaskState): TaskState {
  if (next[from].includes(to)) return to
  throw new GodHandError('conflict', `A task that is ${from} cannot become ${to}.`, { details: { from, to } })
}

export function hasEnded(state: TaskState): boolean {
  return state === 'interrupted' || next[state].length === 0
}
