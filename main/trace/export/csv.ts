import { describeAct } from '../../contract/action.ts'
import type { Step } from '../../contract/task.ts'
import type { TraceSource } from './source.ts'

const columns: [name: string, value: (step: Step) => string | number][] = [
  ['step', (step) => step.index + 1],
  ['started_at', (step) => step.startedAt],
  ['verdict', (step) => step.verdict],
  ['thought', (step) => step.thought],
  ['actions', (step) => step.actions.map(({ act }) => describeAct(act)).join('\n')],
  ['results', (step) => step.actions.map(({ result }) => result.error?.message ?? result.text ?? '').join('\n')],
  [
    'checks',
    (step) => step.checks.map(({ verdict }) => `${verdict.pass ? 'pass' : 'fail'}: ${verdict.summary}`).join('\n'),
  ],
  ['screen_changed', (step) => (step.settle ? String(step.settle.changed) : '')],
  ['plan_ms', (step) => step.timing.planMs],
  ['act_ms', (step) => step.timing.actMs],
  ['settle_ms', (step) => step.timing.settleMs],
  ['verify_ms', (step) => step.timing.verifyMs],
  ['total_ms', (step) => step.timing.totalMs],
  ['before', (step) => step.before ?? ''],
  ['after', (step) => step.after ?? ''],
  ['snapshot_before', (step) => step.snapshotBefore ?? ''],
  ['snapshot_after', (step) => step.snapshotAfter ?? ''],
]
/** A spreadsheet shows no more in a cell. */
const longest = 32_000

/** A row a step, as RFC 4180 says, with the mark by which spreadsheets know UTF-8. */
export async function* csvOf(source: TraceSource): AsyncGenerator<string> {
  yield `\uFEFF${columns.map(([name]) => name).join(',')}\r\n`
  for await (const step of source.steps()) yield `${columns.map(([, value]) => cell(value(step))).join(',')}\r\n`
}

/** Text that a spreadsheet would run as a formula gets an apostrophe in front, which makes it text. */
export function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const shown = value.length > longest ? `${value.slice(0, longest)}…` : value
  const safe = /^\s*[=+\-@\t\r|%]/.test(shown) ? `'${shown}` : shown
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}
