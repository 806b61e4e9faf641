import os from 'node:os'
import { z } from 'zod'
import { type BenchmarkKind, BenchmarkReport, type Figure } from '../contract/benchmark.ts'

/** How a benchmark's program is called, and what it says at the end. `folder` is for what it leaves beside its figures. */
type Program = {
  args(options: { quick: boolean; folder: string }): string[]
  read(output: unknown, quick: boolean): BenchmarkReport
}

const Tries = z.object({
  runs: z.number().int(),
  succeeded: z.number().int(),
  rate: z.number(),
  rollbacks: z.number().int(),
  medianSeconds: z.number(),
})
const Recovery = z.object({ breaks: z.number(), without: Tries, with: Tries })

export const programs: Record<BenchmarkKind, Program> = {
  perf: {
    args: ({ quick, folder }) => ['--docs', folder, ...(quick ? ['--quick'] : [])],
    read: (output) => BenchmarkReport.parse(output),
  },
  recovery: {
    args: ({ quick }) => (quick ? ['--runs', '4'] : []),
    read: (output, quick) => recoveryReport(Recovery.parse(output), quick),
  },
}

function recoveryReport({ breaks, without, with: helped }: z.infer<typeof Recovery>, quick: boolean): BenchmarkReport {
  const figure = (
    id: string,
    title: string,
    unit: Figure['unit'],
    value: number,
    rest: Partial<Figure> = {},
  ): Figure => ({
    id,
    title,
    unit,
    median: value,
    p95: null,
    count: helped.runs,
    baseline: false,
    goal: null,
    against: null,
    ...rest,
  })
  const gain =
    without.rate > 0 ? { id: 'rate-without', median: 100 * without.rate, ratio: helped.rate / without.rate } : null
  return {
    measuredAt: new Date().toISOString(),
    quick,
    host: {
      system: `${os.type()} ${os.arch()}`,
      processor: os.cpus()[0]?.model.trim() ?? 'unknown',
      cpus: os.availableParallelism(),
      loadBefore: 0,
    },
    machine: null,
    figures: [
      figure('rate-without', 'Tasks that succeeded without going back', 'percent', 100 * without.rate, {
        baseline: true,
      }),
      figure('rate-with', 'Tasks that succeeded by going back', 'percent', 100 * helped.rate, { against: gain }),
      figure('rollbacks', 'Times a machine was put back', 'count', helped.rollbacks),
      figure('run-without', 'A task without going back', 'ms', 1000 * without.medianSeconds, { baseline: true }),
      figure('run-with', 'A task that may go back', 'ms', 1000 * helped.medianSeconds),
    ],
    promises: [
      {
        text: `A task with a step that breaks ${Math.round(100 * breaks)} % of the time succeeds more often by going back`,
        value: `${helped.succeeded} of ${helped.runs} against ${without.succeeded} of ${without.runs}`,
        kept: helped.rate > without.rate || helped.rate === 1,
      },
    ],
  }
}
