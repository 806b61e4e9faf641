import { type Act, describeAct } from '../contract/action.ts'
import type { CheckedAssertion } from '../contract/assertion.ts'
import type { Step, Task } from '../contract/task.ts'

/** The words by which a task or a step is found. `seen` comes later, from reading the screens. */
export type Words = { said: string; did: string; found: string }

/** Of long outputs the beginning is enough to find them again, and keeps the index small. */
const longest = 4000

export function taskWords(task: Pick<Task, 'goal' | 'planner' | 'image' | 'verdict' | 'error' | 'checks'>): Words {
  return {
    said: task.goal.slice(0, longest * 5),
    did: `${task.planner} ${task.image}`,
    found: joined([task.verdict, task.error?.message, ...task.checks.flatMap(checkWords)]),
  }
}

export function stepWords(step: Pick<Step, 'thought' | 'actions' | 'checks'>): Words {
  return {
    said: step.thought.slice(0, longest * 5),
    did: joined(step.actions.flatMap(({ act, result }) => [actWords(act), result.text, result.error?.message])),
    found: joined(step.checks.flatMap(checkWords)),
  }
}

function actWords(act: Act): string {
  switch (act.type) {
    case 'type':
      return act.text
    case 'exec':
      return act.command
    case 'write_file':
      return `${act.path} ${act.text}`
    default:
      return describeAct(act)
  }
}

function checkWords({ assertion, verdict }: CheckedAssertion): string[] {
  return [verdict.summary, ...stringsIn(assertion), ...stringsIn(verdict.evidence)]
}

/** Every text inside, hashes aside: nobody looks for those by words. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^[0-9a-f]{64}$/.test(value) ? [] : [value.slice(0, longest)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsIn)
}

function joined(parts: (string | null | undefined)[]): string {
  return parts
    .filter((part) => part !== null && part !== undefined && part !== '')
    .map((part) => part?.slice(0, longest))
    .join('\n')
    .slice(0, longest * 5)
}
