import type { TraceComparison } from '../../main/contract/compare-traces.ts'
import { costOf, totalUsage } from '../task/cost.ts'
import { tracesText } from '../text/traces.ts'
import { text } from '../text.ts'
import { duration, exactMoment } from '../time/format.ts'

const words = tracesText.compare

export type Fact = { name: string; a: string; b: string; differs: boolean }
type Side = TraceComparison['a']

const said: Record<keyof typeof words.rows, (side: Side) => string> = {
  ended: ({ task }) => text.task.states[task.state],
  verdict: ({ task }) => task.verdict ?? words.none,
  planner: ({ task }) => task.planner,
  steps: ({ steps }) => steps.length.toLocaleString('en'),
  time: ({ task: { startedAt, endedAt } }) =>
    startedAt && endedAt ? duration(Date.parse(endedAt) - Date.parse(startedAt)) : words.none,
  cost: ({ steps }) => costOf(totalUsage(steps)) ?? words.free,
  image: ({ task }) => task.image,
  made: ({ task }) => exactMoment(task.createdAt),
}
const names = ['ended', 'verdict', 'planner', 'steps', 'time', 'cost', 'image', 'made'] as const

/** Both runs in a few lines. That they were made at another time says nothing, so it counts as no difference. */
export function factsOf({ a, b }: TraceComparison): Fact[] {
  return names.map((name) => {
    const [left, right] = [said[name](a), said[name](b)]
    return { name: words.rows[name], a: left, b: right, differs: name !== 'made' && left !== right }
  })
}
