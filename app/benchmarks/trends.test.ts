import { describe, expect, it } from 'vitest'
import type { BenchmarkRun } from '../../main/contract/benchmark.ts'
import { aBenchmark } from '../dev/fake-benchmarks.ts'
import { amount } from './amount.ts'
import { draw, trendsOf } from './trends.ts'

describe('figures over time', () => {
  it('are lines of what was measured more than once, oldest first', () => {
    const runs = [aBenchmark('b', 2, 0.9), aBenchmark('a', 5, 1)]
    const trends = trendsOf(runs, 'perf')
    expect(trends.find(({ id }) => id === 'fresh-desktop')?.points.map(({ runId }) => runId)).toEqual(['a', 'b'])
    expect(trends.some(({ id }) => id === 'cold-boot')).toBe(false)
    expect(trendsOf(runs.slice(1), 'perf')).toEqual([])
    expect(trendsOf(runs, 'recovery')).toEqual([])
  })

  it('leave out rounds that failed', () => {
    const failed: BenchmarkRun = {
      ...aBenchmark('c', 1, 1),
      state: { kind: 'failed', error: { code: 'internal', message: '' } },
    }
    expect(trendsOf([failed, aBenchmark('a', 5, 1)], 'perf')).toEqual([])
  })

  it('are drawn from zero, with the goal where it is in sight', () => {
    const box = { width: 100, height: 50 }
    const { points, goalY } = draw([100, 50], 100, box)
    expect(points.map(({ x }) => x)).toEqual([0, 100])
    expect(50 - (points[0]?.y ?? 0)).toBeCloseTo(2 * (50 - (points[1]?.y ?? 0)))
    expect(goalY).toBeCloseTo(points[0]?.y ?? 0)
    expect(draw([1], 300, box)).toMatchObject({ points: [{ x: 50 }], goalY: null })
    expect(draw([0, 0], null, box).points.every(({ y }) => y === 50)).toBe(true)
  })
})

it.each([
  [4.21, 'ms', '4.2 ms'],
  [152.4, 'ms', '152 ms'],
  [1520, 'ms', '1.52 s'],
  [13_600, 'ms', '13.6 s'],
  [46_137_344, 'bytes', '44 MB'],
  [95, 'percent', '95 %'],
  [0, 'percent', '0 %'],
  [12, 'count', '12'],
] as const)('%d %s reads %s', (value, unit, read) => {
  expect(amount(value, unit)).toBe(read)
})
