import { describeAct } from '../contract/action.ts'
import type { Step, Task } from '../contract/task.ts'
import { localTime, milliseconds } from './table.ts'

const verdictMarks: Record<Step['verdict'], string> = { pass: '✓', fail: '✗', unchecked: '·' }
const indent = '       '

/** A step for a reading person: the thought, what they should know, what was done, what was checked. */
export function stepText(step: Step): string {
  const head = `${String(step.index + 1).padStart(3)}  ${verdictMarks[step.verdict]} ${step.thought}  (${milliseconds(step.timing.totalMs)})`
  const acts = step.actions.map(({ act, result }) => {
    const failure = result.ok ? '' : ` — failed: ${result.error?.message ?? 'no reason given'}`
    return `${indent}${describeAct(act)}${failure}`
  })
  const checks = step.checks.map(({ verdict }) => `${indent}${verdict.pass ? '✓' : '✗'} ${verdict.summary}`)
  const notices = (step.notices ?? []).map((notice) => `${indent}! ${notice}`)
  return [head, ...notices, ...acts, ...checks].join('\n')
}

/** How it ended. */
export function taskText(task: Task): string {
  const mark = task.state === 'succeeded' ? '✓' : task.state === 'failed' ? '✗' : '·'
  const why = task.verdict ?? task.error?.message
  return [
    `${mark} ${task.state}${why ? `: ${why}` : ''}`,
    ...task.checks.map(({ verdict }) => `  ${verdict.pass ? '✓' : '✗'} ${verdict.summary}`),
    ...(task.error?.hint ? [`  → ${task.error.hint}`] : []),
    `Trace ${task.id} (npx godhand trace show ${task.id})`,
  ].join('\n')
}

export function traceText(task: Task, steps: Step[]): string {
  const facts = [
    ['Goal', task.goal],
    ['State', task.state],
    ['Planner', task.planner],
    ['Image', task.image],
    ['Created', localTime(task.createdAt)],
    ['Machine', task.machineId ?? 'none'],
  ]
  const head = facts.map(([name, value]) => `${`${name}:`.padEnd(9)} ${value}`)
  return [...head, '', ...steps.map(stepText), '', taskText(task)].join('\n')
}
