import { z } from 'zod'
import { ErrorInfo } from './errors.ts'
import { Progress } from './progress.ts'

/** What can be measured here: one program in bench/ each. */
export const BenchmarkKind = z.enum(['perf', 'recovery'])
export type BenchmarkKind = z.infer<typeof BenchmarkKind>

export const Figure = z.object({
  id: z.string(), // the same in every run, so that runs can be laid side by side
  title: z.string(),
  unit: z.enum(['ms', 'bytes', 'percent', 'count']),
  median: z.number(),
  p95: z.number().nullable(), // null: only the median is known
  count: z.number().int(), // how many measurements
  baseline: z.boolean().default(false), // measured only to be compared with
  goal: z.number().nullable().default(null), // the upper limit for the median
  /** What a person would do instead, and how many times faster or smaller ours is. */
  against: z.object({ id: z.string(), median: z.number(), ratio: z.number() }).nullable().default(null),
})
export type Figure = z.infer<typeof Figure>

export const BenchmarkReport = z.object({
  measuredAt: z.string(),
  quick: z.boolean(), // too few measurements to be quoted
  host: z.object({ system: z.string(), processor: z.string(), cpus: z.number().int(), loadBefore: z.number() }),
  machine: z
    .object({ image: z.string(), memoryBytes: z.number(), accelerator: z.string(), qemu: z.string() })
    .nullable(),
  figures: z.array(Figure),
  /** What we promise, and whether this run kept it. Null: something it needs was not measured. */
  promises: z.array(z.object({ text: z.string(), value: z.string(), kept: z.boolean().nullable() })),
})
export type BenchmarkReport = z.infer<typeof BenchmarkReport>

/**
 *  running ──► done
 *     ├──► failed
 *     └──► cancelled
 */
export const BenchmarkState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('running'), progress: Progress }),
  z.object({ kind: z.literal('done'), report: BenchmarkReport }),
  z.object({ kind: z.literal('failed'), error: ErrorInfo }),
  z.object({ kind: z.literal('cancelled') }),
])
export type BenchmarkState = z.infer<typeof BenchmarkState>

export const BenchmarkRun = z.object({
  id: z.string(),
  kind: BenchmarkKind,
  quick: z.boolean(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  state: BenchmarkState,
})
export type BenchmarkRun = z.infer<typeof BenchmarkRun>

export const BenchmarkList = z.object({
  available: z.array(BenchmarkKind), // an installed app carries none: they measure the sources
  runs: z.array(BenchmarkRun), // the newest first
})
