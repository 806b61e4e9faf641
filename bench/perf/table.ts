import type { Figure, Report } from './report.ts'

export function amount(value: number, unit: Figure['unit']): string {
  if (unit === 'bytes') return `${(value / 1024 ** 2).toFixed(value < 10 * 1024 ** 2 ? 1 : 0)} MB`
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`
  return value >= 1000 ? `${(value / 1000).toFixed(2)} s` : `${value.toFixed(value < 10 ? 1 : 0)} ms`
}

export const HEADING = ['what', 'median', 'p95', 'n', 'instead', 'ratio']

export function rows(report: Report): string[][] {
  const titles = new Map(report.figures.map(({ id, title }) => [id, title]))
  return report.figures.map(({ title, unit, median, p95, count, against, baseline }) => [
    baseline ? `${title} (baseline)` : title,
    amount(median, unit),
    amount(p95, unit),
    String(count),
    against ? `${amount(against.median, unit)} (${titles.get(against.id) ? against.id : ''})` : '',
    against ? `${against.ratio.toFixed(against.ratio < 10 ? 1 : 0)}×` : '',
  ])
}

/** For a terminal. */
export function printedTable(report: Report): string {
  const all = [HEADING, ...rows(report)]
  const widths = HEADING.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  const promises = report.promises.map(
    ({ text, value, kept }) => `${kept === null ? '–' : kept ? '✓' : '✗'} ${text}: ${value}`,
  )
  return [...all.map(line), '', ...promises].join('\n')
}
