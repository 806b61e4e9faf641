import type { Task } from '../../main/contract/task.ts'
import { isOver, needsPerson } from './world.ts'

export type News = 'needs_you' | 'done' | 'failed'

/** What a change of a task means to a person who looks elsewhere; null when nothing worth a word. */
export function newsOf(before: Task | undefined, after: Task): News | null {
  if (!before) return null // it is new here: nobody has been waiting for it
  if (needsPerson(after) && !needsPerson(before)) return 'needs_you'
  if (!isOver(after) || isOver(before)) return null
  if (after.state === 'succeeded') return 'done'
  return after.state === 'failed' ? 'failed' : null // who stopped it knows
}
