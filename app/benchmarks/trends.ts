import type { BenchmarkKind, BenchmarkRun, Figure } from '../../main/contract/benchmark.ts'

export type Point = { runId: string; at: string; value: number; quick: boolean }
export type Trend = Pick<Figure, 'id' | 'title' | 'unit' | 'goal'> & { points: Point[] }

/** One line for each figure that was measured more than once, oldest first; what is only compared with is left out. */
export function trendsOf(runs: readonly BenchmarkRun[], kind: BenchmarkKind): Trend[] {
  const trends = new Map<string, Trend>()
  const inTime = runs.filter((run) => run.kind === kind).sort((a, b) => a.startedAt.localeCompare(b.startedAt))
  for (const { id: runId, startedAt, state } of inTime) {
    if (state.kind !== 'done') continue
    for (const { id, title, unit, goal, median, baseline } of state.report.figures) {
      if (baseline) continue
      const point = { runId, at: startedAt, value: median, quick: state.report.quick }
      // The newest title and goal are the ones in force.
      trends.set(id, { id, title, unit, goal, points: [...(trends.get(id)?.points ?? []), point] })
    }
  }
  return [...trends.values()].filter(({ points }) => points.length > 1)
}

export type Drawn = { x: number; y: number }

/** Places of the points in a box: rounds side by side, zero at the bottom, so that a small change looks small. */
export function draw(values: readonly number[], goal: number | null, box: { width: number; height: number }) {
  const top = Math.max(...values, 1e-9) * 1.15
  const yOf = (value: number) => box.height * (1 - value / top)
  const points = values.map((value, index): Drawn => {
    return { x: values.length < 2 ? box.width / 2 : (box.width * index) / (values.length - 1), y: yOf(value) }
  })
  return { points, goalY: goal !== null && goal <= top ? yOf(goal) : null }
}
