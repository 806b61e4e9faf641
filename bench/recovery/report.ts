import type { Mode, Run } from './measure.ts'

export type Figures = { runs: number; succeeded: number; rate: number; rollbacks: number; medianSeconds: number }
export type Report = { seed: number; breaks: number; without: Figures; with: Figures }

export function figuresOf(runs: Run[]): Figures {
  const succeeded = runs.filter((run) => run.succeeded).length
  const seconds = runs.map((run) => run.seconds).sort((a, b) => a - b)
  return {
    runs: runs.length,
    succeeded,
    rate: runs.length === 0 ? 0 : succeeded / runs.length,
    rollbacks: runs.reduce((sum, run) => sum + run.rollbacks, 0),
    medianSeconds: Math.round((seconds[Math.floor(seconds.length / 2)] ?? 0) * 10) / 10,
  }
}

/** Side by side. */
export function printed(report: Report): string {
  const row = (name: string, of: (figures: Figures) => string) =>
    `${name.padEnd(22)}${of(report.without).padStart(18)}${of(report.with).padStart(18)}`
  const heads: Record<Mode, string> = { without: 'without recovery', with: 'with recovery' }
  return [
    `A step that ruins the work ${Math.round(report.breaks * 100)} % of the time (seed ${report.seed})`,
    `${''.padEnd(22)}${heads.without.padStart(18)}${heads.with.padStart(18)}`,
    row('runs that succeeded', ({ succeeded, runs }) => `${succeeded} of ${runs}`),
    row('success rate', ({ rate }) => `${Math.round(rate * 100)} %`),
    row('times put back', ({ rollbacks }) => String(rollbacks)),
    row('a run, median', ({ medianSeconds }) => `${medianSeconds} s`),
  ].join('\n')
}
