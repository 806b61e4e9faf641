import type { ComparedRow, TraceComparison } from '../../main/contract/compare-traces.ts'
import type { Step } from '../../main/contract/task.ts'

/** A row of a comparison with the steps it is about. `place` is its own among all rows, whichever are shown. */
export type Pair = { place: number; row: ComparedRow; a: Step | undefined; b: Step | undefined }

export function pairsOf({ a, b, rows }: TraceComparison): Pair[] {
  const [first, second] = [a, b].map(({ steps }) => new Map(steps.map((step) => [step.index, step])))
  return rows.map((row, place) => ({
    place,
    row,
    a: row.a === null ? undefined : first?.get(row.a),
    b: row.b === null ? undefined : second?.get(row.b),
  }))
}
