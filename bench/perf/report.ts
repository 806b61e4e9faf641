import os from 'node:os'
import { machineSizeFor } from '../../main/sandbox/machine-size.ts'
import type { Lab } from './lab.ts'
import { METRICS, type Metric, type MetricId, type Unit } from './metrics.ts'
import { type Samples, type Summary, summarize } from './samples.ts'

export type Figure = Summary & {
  id: string
  title: string
  unit: Unit
  baseline: boolean
  goal: number | null
  /** How many times faster or smaller than what it is compared with, by the medians. */
  against: { id: string; median: number; ratio: number } | null
}

/** A promise of ours, and whether this run kept it. Null: something it needs was not measured. */
export type Promised = { text: string; value: string; kept: boolean | null }

export type Report = {
  version: 1
  measuredAt: string
  quick: boolean
  host: { system: string; processor: string; cpus: number; memoryBytes: number; loadBefore: number }
  machine: { image: string; memoryBytes: number; cpus: number; accelerator: string; qemu: string }
  figures: Figure[]
  promises: Promised[]
}

export type Surroundings = Pick<Report, 'quick' | 'host' | 'machine'>

/** What the figures depend on. Taken before the first machine starts, so that the load is that of others. */
export async function surroundings(lab: Lab, quick: boolean): Promise<Surroundings> {
  const size = machineSizeFor()
  return {
    quick,
    host: {
      system: `${os.type()} ${os.arch()}`,
      processor: os.cpus()[0]?.model.trim() ?? 'unknown',
      cpus: os.availableParallelism(),
      memoryBytes: os.totalmem(),
      loadBefore: os.loadavg()[0] ?? 0,
    },
    machine: {
      image: lab.image.name,
      memoryBytes: size.memoryMb * 1024 * 1024,
      cpus: size.cpus,
      accelerator: (await lab.driver.accelerator()).accelerator,
      qemu: lab.qemu.version,
    },
  }
}

export function makeReport(samples: Samples, around: Surroundings): Report {
  const medianOf = (id: string) => summarize(samples.of(id as MetricId))?.median ?? null
  const figures = METRICS.flatMap((metric: Metric): Figure[] => {
    const summary = summarize(samples.of(metric.id as MetricId))
    if (!summary) return []
    const other = metric.against === undefined ? null : medianOf(metric.against)
    return [
      {
        id: metric.id,
        title: metric.title,
        unit: metric.unit,
        baseline: metric.baseline ?? false,
        goal: metric.goal ?? null,
        against:
          metric.against === undefined || other === null
            ? null
            : { id: metric.against, median: other, ratio: other / summary.median },
        ...summary,
      },
    ]
  })
  return {
    version: 1,
    measuredAt: new Date().toISOString(),
    ...around,
    figures,
    promises: promises(medianOf, around.machine.memoryBytes),
  }
}

function promises(median: (id: MetricId) => number | null, guestBytes: number): Promised[] {
  const judge = (text: string, ids: MetricId[], look: (...values: number[]) => { value: string; kept: boolean }) => {
    const values = ids.map(median)
    if (values.some((value) => value === null)) return { text, value: 'not measured', kept: null }
    return { text, ...look(...values.map((value) => value ?? 0)) }
  }
  const ms = (value: number) => `${Math.round(value)} ms`
  const below = (text: string, id: MetricId, limit: number) =>
    judge(text, [id], (value = 0) => ({ value: ms(value), kept: value < limit }))
  return [
    judge(
      'A fresh desktop comes at least 15 times faster than a cold boot',
      ['cold-boot', 'fresh-desktop'],
      (boot = 0, fresh = 0) => ({
        value: `${(boot / fresh).toFixed(1)}×`,
        kept: boot >= 15 * fresh,
      }),
    ),
    below('A fresh desktop comes in less than a second', 'fresh-desktop', 1000),
    judge(
      'A snapshot at depth 5 pauses the guest at most 1.5 times as long as at depth 1',
      ['snapshot-pause-1', 'snapshot-pause-5'],
      (one = 0, five = 0) => ({
        value: `${(five / one).toFixed(2)}×`,
        kept: five <= 1.5 * one,
      }),
    ),
    below('A snapshot at depth 5 pauses the guest for less than 300 ms', 'snapshot-pause-5', 300),
    judge(
      'A snapshot at depth 5 pauses the guest for less time than savevm',
      ['snapshot-pause-5', 'savevm'],
      (pause = 0, savevm = 0) => ({
        value: `${ms(pause)} against ${ms(savevm)}`,
        kept: pause < savevm,
      }),
    ),
    below('Three forks all answer a screenshot within a second', 'fork-3', 1000),
    judge('An idle fork holds less than a quarter of the guest’s memory for itself', ['fork-memory'], (bytes = 0) => ({
      value: `${((100 * bytes) / guestBytes).toFixed(1)} %`,
      kept: bytes < guestBytes / 4,
    })),
    below('The page is painted within a second of npm start', 'first-paint', 1000),
    below('A screenshot takes less than 60 ms', 'screenshot', 60),
    below('A command on the kept connection takes less than 100 ms', 'exec', 100),
    below('A full screen of text is read in less than a second', 'read-screen', 1000),
  ]
}
