import type { BenchmarkRun, Figure } from '../../main/contract/benchmark.ts'
import { GodHandError } from '../../main/contract/errors.ts'
import { methods } from '../../main/contract/rpc.ts'
import type { FakeWorld } from './fake-world.ts'

/** Rounds of measurements as a computer of two cores makes them. */
const measured: [id: string, title: string, unit: Figure['unit'], value: number, rest?: Partial<Figure>][] = [
  ['cold-boot', 'Cold boot to a drawn desktop', 'ms', 13_640, { baseline: true }],
  ['savevm', 'savevm (guest stands still throughout)', 'ms', 391, { baseline: true }],
  ['fresh-desktop', 'Fresh desktop, to the first good screenshot', 'ms', 90, { goal: 1000 }],
  ['snapshot-pause-5', 'Snapshot, guest’s pause, depth 5', 'ms', 28, { goal: 300 }],
  ['restore-1', 'Restore as a new machine, first screenshot', 'ms', 121],
  ['fork-3', 'Fork into 3, all three answering a screenshot', 'ms', 431, { goal: 1000 }],
  ['fork-memory', 'Private memory of an idle fork', 'bytes', 118_000_000],
  ['exec', 'Command on the kept connection', 'ms', 47, { goal: 100 }],
  ['screenshot', 'Screenshot', 'ms', 22, { goal: 60 }],
  ['key-to-pixels', 'Key sent, to changed pixels in a screenshot', 'ms', 39, { goal: 300 }],
]
const against: Record<string, string> = { 'fresh-desktop': 'cold-boot', 'snapshot-pause-5': 'savevm' }

export function aBenchmark(id: string, daysAgo: number, factor: number, quick = false): BenchmarkRun {
  const startedAt = new Date(Date.now() - daysAgo * 86_400_000).toISOString()
  const usual = (of: string) => (measured.find(([name]) => name === of)?.[3] ?? 0) * factor
  const figures = measured.map(([name, title, unit, value, rest], index): Figure => {
    const wobble = 1 + 0.07 * Math.sin(daysAgo * (index + 2))
    const median = rest?.baseline ? value : value * factor * wobble
    const other = against[name]
    const compared = other ? { id: other, median: usual(other), ratio: usual(other) / median } : null
    const count = quick ? 2 : 7
    return {
      id: name,
      title,
      unit,
      median,
      p95: median * 1.3,
      count,
      baseline: false,
      goal: null,
      against: compared,
      ...rest,
    }
  })
  const ms = (name: string) => `${Math.round(figures.find((figure) => figure.id === name)?.median ?? 0)} ms`
  return {
    id,
    kind: 'perf',
    quick,
    startedAt,
    endedAt: startedAt,
    state: {
      kind: 'done',
      report: {
        measuredAt: startedAt,
        quick,
        host: { system: 'Linux x64', processor: 'A processor', cpus: 2, loadBefore: 0.2 },
        machine: { image: 'desktop', memoryBytes: 2_147_483_648, accelerator: 'tcg', qemu: '10.0.3' },
        figures,
        promises: [
          { text: 'A fresh desktop comes in less than a second', value: ms('fresh-desktop'), kept: true },
          {
            text: 'A snapshot at depth 5 pauses the guest for less than 300 ms',
            value: ms('snapshot-pause-5'),
            kept: true,
          },
          { text: 'Three forks all answer a screenshot within a second', value: ms('fork-3'), kept: factor < 1.3 },
          { text: 'A screenshot takes less than 60 ms', value: 'not measured', kept: null },
        ],
      },
    },
  }
}

export const someBenchmarks = () => [
  aBenchmark('bench-6', 0.1, 1),
  aBenchmark('bench-5', 2, 0.98, true),
  aBenchmark('bench-4', 5, 1.08),
  aBenchmark('bench-3', 9, 1.45),
  aBenchmark('bench-2', 14, 1.4),
  aBenchmark('bench-1', 21, 1.5),
]

/** A make-believe round: a few steps, then the figures. */
export async function benchmarkCall(
  world: FakeWorld,
  method: 'bench.list' | 'bench.start' | 'bench.cancel' | 'bench.remove',
  params: unknown,
  paceMs: number,
): Promise<unknown> {
  const find = (id: string) => {
    const run = world.benchmarks.find((one) => one.id === id)
    if (!run) throw new GodHandError('not_found', `There is no benchmark ${id}.`)
    return run
  }
  const enter = (run: BenchmarkRun) => {
    world.benchmarks = [run, ...world.benchmarks.filter(({ id }) => id !== run.id)]
    world.tell({ type: 'benchmark', run })
    return run
  }
  if (method === 'bench.list') return { available: ['perf'], runs: world.benchmarks }
  if (method === 'bench.start') {
    const { quick } = methods[method].input.parse(params)
    const done = { ...aBenchmark(`bench-${Date.now()}`, 0, 0.97, quick), startedAt: new Date().toISOString() }
    const step = (text: string, at: number, of: number): BenchmarkRun => ({
      ...done,
      endedAt: null,
      state: { kind: 'running', progress: { step: text, done: at, total: of } },
    })
    const first = enter(step('preparing the template', 0, -1))
    void (async () => {
      for (let round = 1; round <= 7; round++) {
        await new Promise((resolve) => setTimeout(resolve, paceMs))
        if (find(done.id).state.kind !== 'running') return
        enter(step(`fresh desktop ${round}/7`, round, 7))
      }
      enter(done)
    })()
    return first
  }
  const { runId } = methods[method].input.parse(params)
  if (method === 'bench.cancel') {
    const cancelled: BenchmarkRun = { ...find(runId), state: { kind: 'cancelled' } }
    world.tell({ type: 'benchmark', run: cancelled })
    world.benchmarks = world.benchmarks.filter(({ id }) => id !== runId)
    return cancelled
  }
  world.benchmarks = world.benchmarks.filter(({ id }) => id !== runId)
  return {}
}
