import type { ComparedRow, TraceComparison } from '../../main/contract/compare-traces.ts'
import { GodHandError } from '../../main/contract/errors.ts'
import type { FakeWorld } from './fake-world.ts'

/** Steps are laid beside each other by their number; the real engine looks at what they did. */
export function compareFakes(world: FakeWorld, wish: { a: string; b: string }): TraceComparison {
  const sideOf = (taskId: string) => {
    const task = world.tasks.get(taskId)
    if (!task) throw new GodHandError('not_found', `There is no trace ${taskId}.`, { hint: 'See the library.' })
    return { task, steps: world.steps.get(taskId) ?? [] }
  }
  const [a, b] = [sideOf(wish.a), sideOf(wish.b)]
  const judged = new Map(b.steps.flatMap(({ compared = [] }) => compared).map((each) => [each.index, each]))
  const rows = Array.from({ length: Math.max(a.steps.length, b.steps.length) }, (_, index): ComparedRow => {
    const [left, right] = [a.steps[index], b.steps[index]]
    if (!left || !right)
      return {
        a: left ? index : null,
        b: right ? index : null,
        kind: left ? 'only_a' : 'only_b',
        differences: [],
      }
    const differences = [
      ...(left.verdict === right.verdict ? [] : ['Their checks came out otherwise.']),
      ...(left.after === right.after ? [] : ['The screen afterwards is another.']),
    ]
    const replayed = judged.get(index)
    return {
      a: index,
      b: index,
      kind: differences.length > 0 ? 'differs' : 'same',
      differences,
      ...(replayed && { replayed }),
    }
  })
  const count = (kind: ComparedRow['kind']) => rows.filter((row) => row.kind === kind).length
  const summary = [
    a.task.state === b.task.state ? `Both ${a.task.state}.` : `The first ${a.task.state}, the second ${b.task.state}.`,
    `${count('same')} steps are alike, ${count('differs')} came out otherwise, ${count('only_a')} are only in the first, ${count('only_b')} only in the second.`,
  ]
  return { a, b, rows, summary }
}
