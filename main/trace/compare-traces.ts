import { describeAct } from '../contract/action.ts'
import type { ComparedRow, TraceComparison } from '../contract/compare-traces.ts'
import { GodHandError } from '../contract/errors.ts'
import type { ReplayedStep } from '../contract/replay.ts'
import type { Step, Task } from '../contract/task.ts'
import type { StoreReader } from './store.ts'

type Side = { task: Task; steps: Step[] }

export function compareTraces(store: StoreReader, a: string, b: string): TraceComparison {
  const [first, second] = [sideOf(store, a), sideOf(store, b)]
  const rows = comparedRows(first.steps, second.steps)
  return { a: first, b: second, rows, summary: summaryOf(first, second, rows) }
}

function sideOf(store: StoreReader, taskId: string): Side {
  const task = store.tasks.get(taskId)
  if (!task)
    throw new GodHandError('not_found', `There is no trace ${taskId}.`, { hint: 'List them: godhand trace list' })
  return { task, steps: store.steps.list(taskId) }
}

/** Steps that did the same stand side by side, in order; what only one of them did stands alone. */
export function comparedRows(a: Step[], b: Step[]): ComparedRow[] {
  const judged = new Map(b.flatMap(({ compared = [] }) => compared).map((each) => [each.index, each]))
  const rows: ComparedRow[] = []
  const alone = (side: 'a' | 'b', step: Step) =>
    rows.push({ a: null, b: null, [side]: step.index, kind: `only_${side}`, differences: [] })
  let [x, y] = [0, 0]
  for (const [i, j] of [...commonSteps(a, b), [a.length, b.length] as const]) {
    for (const step of a.slice(x, i)) alone('a', step)
    for (const step of b.slice(y, j)) alone('b', step)
    const [left, right] = [a[i], b[j]]
    if (left && right) rows.push(pair(left, right, judged.get(left.index)))
    ;[x, y] = [i + 1, j + 1]
  }
  return rows.map((row) => {
    const replayed = row.a === null ? undefined : judged.get(row.a)
    return replayed && !row.replayed ? { ...row, replayed } : row
  })
}

function pair(a: Step, b: Step, replayed: ReplayedStep | undefined): ComparedRow {
  const failed = ({ checks }: Step) => checks.filter(({ verdict }) => !verdict.pass).length
  const differences = [
    a.verdict !== b.verdict && `The first is ${words[a.verdict]}, the second ${words[b.verdict]}.`,
    failed(a) !== failed(b) && `${failed(a)} against ${failed(b)} failed checks.`,
    ...a.actions.map(({ result }, n) => {
      const other = b.actions[n]?.result
      if (!other || (result.ok === other.ok && (result.text ?? '') === (other.text ?? ''))) return false
      if (result.ok !== other.ok)
        return `Action ${n + 1} ${result.ok ? 'worked in the first only' : 'worked in the second only'}.`
      return `Action ${n + 1} answered something else.`
    }),
    a.after !== b.after &&
      a.after !== null &&
      b.after !== null &&
      !alike(replayed) &&
      'The screen afterwards is another.',
  ].filter((each) => each !== false)
  return {
    a: a.index,
    b: b.index,
    kind: differences.length === 0 ? 'same' : 'differs',
    differences,
    ...(replayed && { replayed }),
  }
}

const words: Record<Step['verdict'], string> = { pass: 'checked', fail: 'failed', unchecked: 'not checked' }
const alike = (replayed: ReplayedStep | undefined) => replayed?.outcome === 'agrees' || replayed?.outcome === 'moved'

/** What makes two steps the same step: what was done, wherever on the screen. */
function signature({ actions, thought }: Step): string {
  if (actions.length === 0) return `thought ${thought}`
  return actions.map(({ act }) => ('at' in act || act.type === 'move' ? act.type : describeAct(act))).join('\n')
}

/** The longest common sequence of steps, as pairs of places. Its table has a bound: beyond it steps are paired by place. */
function commonSteps(a: Step[], b: Step[]): (readonly [number, number])[] {
  if (a.length * b.length > 4_000_000)
    return a.slice(0, b.length).flatMap((step, n) => {
      const other = b[n]
      return other && signature(step) === signature(other) ? [[n, n] as const] : []
    })
  const [left, right] = [a.map(signature), b.map(signature)]
  const width = right.length + 1
  const longest = new Uint32Array((left.length + 1) * width)
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      longest[i * width + j] =
        left[i] === right[j]
          ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0)
  const pairs: (readonly [number, number])[] = []
  for (let [i, j] = [0, 0]; i < left.length && j < right.length; )
    if (left[i] === right[j]) pairs.push([i++, j++])
    else if ((longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0)) i++
    else j++
  return pairs
}

function summaryOf(a: Side, b: Side, rows: ComparedRow[]): string[] {
  const count = (kind: ComparedRow['kind']) => rows.filter((row) => row.kind === kind).length
  const first = rows.find(({ kind }) => kind !== 'same')
  const at = first?.a ?? first?.b
  return [
    a.task.state === b.task.state
      ? `Both ${a.task.state === 'succeeded' || a.task.state === 'failed' ? a.task.state : `were ${a.task.state}`}.`
      : `The first is ${a.task.state}, the second ${b.task.state}.`,
    `${a.steps.length} steps in ${seconds(a)} against ${b.steps.length} in ${seconds(b)}.`,
    `${count('same')} are alike, ${count('differs')} came out otherwise, ${count('only_a')} are only in the first, ${count('only_b')} only in the second.`,
    ...(at === undefined || at === null
      ? []
      : [`They part at step ${at + 1}${first?.a === null ? ' of the second' : ''}.`]),
  ]
}

function seconds({ steps }: Side): string {
  return `${(steps.reduce((sum, { timing }) => sum + timing.totalMs, 0) / 1000).toFixed(1)} s`
}
