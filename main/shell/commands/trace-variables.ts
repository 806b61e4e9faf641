import { typedValues } from '../../contract/typed-values.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { shorten, table } from '../table.ts'

/** What was typed or written in a trace: what a replay can be given other values for. */
export async function traceVariables(taskId: string, output: Output): Promise<number> {
  const { steps } = await withEngine(output, { machines: false }, ({ client }) => client.call('task.get', { taskId }))
  const values = typedValues(steps)
  const rows = values.map(({ stepIndex, recorded }) => [String(stepIndex + 1), shorten(recorded, 100)])
  const hint = `\nGive another value: npx godhand trace replay ${taskId} --set "recorded=another"`
  output.answer(values, rows.length > 0 ? `${table(['STEP', 'TYPED'], rows)}${hint}` : 'Nothing was typed.')
  return exitCodes.ok
}
