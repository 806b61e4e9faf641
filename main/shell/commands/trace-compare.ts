import { describeAct } from '../../contract/action.ts'
import type { ComparedRow, TraceComparison } from '../../contract/compare-traces.ts'
import { GodHandError } from '../../contract/errors.ts'
import type { Step } from '../../contract/task.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { shorten, table } from '../table.ts'

export async function traceCompare(a: string, b: string, output: Output): Promise<number> {
  const compared = await withEngine(output, { machines: false }, ({ client }) => client.call('trace.compare', { a, b }))
  output.answer(compared, comparisonText(compared))
  return exitCodes.ok
}

/** What a replay found at every step of what it repeated. */
export async function traceReport(replayId: string, output: Output): Promise<number> {
  return withEngine(output, { machines: false }, async ({ client }) => {
    const { task } = await client.call('task.get', { taskId: replayId })
    const recorded = /^replay:(.+)$/.exec(task.planner)?.[1]
    if (!recorded)
      throw new GodHandError('bad_request', `${replayId} is not a replay.`, {
        hint: 'Compare any two traces: npx godhand trace compare <a> <b>',
      })
    const compared = await client.call('trace.compare', { a: recorded, b: replayId })
    output.answer(compared, comparisonText(compared))
    return exitCodes.ok
  })
}

const marks: Record<ComparedRow['kind'], string> = { same: '=', differs: '≠', only_a: '<', only_b: '>' }

function comparisonText({ a, b, rows, summary }: TraceComparison): string {
  const lines = rows.map((row) => [
    row.a === null ? '' : String(row.a + 1),
    marks[row.kind],
    row.b === null ? '' : String(row.b + 1),
    didText((row.a === null ? undefined : a.steps[row.a]) ?? (row.b === null ? undefined : b.steps[row.b])),
    row.replayed
      ? `${row.replayed.outcome}${row.replayed.note ? `: ${row.replayed.note}` : ''}`
      : row.differences.join(' '),
  ])
  const head = `${a.task.id}: ${shorten(a.task.goal, 60)}\n${b.task.id}: ${shorten(b.task.goal, 60)}`
  return [head, '', table(['A', '', 'B', 'DONE', 'FOUND'], lines), '', ...summary].join('\n')
}

function didText(step: Step | undefined): string {
  if (!step) return ''
  return shorten(step.actions.map(({ act }) => describeAct(act)).join(', ') || step.thought, 50)
}
