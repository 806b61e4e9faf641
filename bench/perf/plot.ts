import type { Figure, Report } from './report.ts'
import { amount } from './table.ts'

const WIDTH = 960
const LEFT = 410
const RIGHT = 70
const ROW = 26
const TOP = 64
const COLOURS = {
  ours: '#2563eb',
  other: '#94a3b8',
  whisker: '#0f172a',
  text: '#0f172a',
  grid: '#e2e8f0',
  goal: '#dc2626',
}

/** Medians on a logarithmic scale, a line to the 95th percentile, a mark at the goal. Times only. */
export function plot(report: Report): string {
  const figures = report.figures.filter(({ unit }) => unit === 'ms')
  const highest = Math.max(...figures.map(({ p95 }) => p95), 1000)
  const lowest = Math.min(...figures.map(({ median }) => median), 10)
  const [from, to] = [Math.floor(Math.log10(lowest)), Math.log10(highest * 1.5)]
  const x = (ms: number) =>
    LEFT + ((Math.log10(Math.max(ms, 10 ** from)) - from) / (to - from)) * (WIDTH - LEFT - RIGHT)
  const height = TOP + figures.length * ROW + 34
  const decades = Array.from({ length: Math.floor(to) - from + 1 }, (_, index) => 10 ** (from + index))
  const { machine, host } = report
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="24" font-size="15" font-weight="600" fill="${COLOURS.text}">How long things take (median; line to the 95th percentile)</text>`,
    `<text x="16" y="42" fill="#475569">${escaped(`${host.cpus} cores, ${machine.accelerator}, QEMU ${machine.qemu}, guest with ${amount(machine.memoryBytes, 'bytes')}. Blue: GodHand. Grey: without it. Red: goal.`)}</text>`,
    ...decades.flatMap((value) => [
      `<line x1="${x(value)}" x2="${x(value)}" y1="${TOP - 8}" y2="${height - 28}" stroke="${COLOURS.grid}"/>`,
      `<text x="${x(value)}" y="${height - 12}" text-anchor="middle" fill="#475569">${value < 1000 ? `${value} ms` : `${value / 1000} s`}</text>`,
    ]),
    ...figures.flatMap((figure, index) => bar(figure, TOP + index * ROW, x, LEFT)),
    '</svg>',
    '',
  ].join('\n')
}

function bar(figure: Figure, y: number, x: (ms: number) => number, left: number): string[] {
  const middle = y + ROW / 2
  const end = x(figure.median)
  const far = x(figure.p95)
  return [
    `<text x="${left - 10}" y="${middle + 4}" text-anchor="end" fill="${COLOURS.text}">${escaped(shortened(figure.title))}</text>`,
    `<rect x="${left}" y="${y + 5}" width="${Math.max(1, end - left)}" height="${ROW - 10}" rx="2" fill="${figure.baseline ? COLOURS.other : COLOURS.ours}"/>`,
    `<line x1="${end}" x2="${far}" y1="${middle}" y2="${middle}" stroke="${COLOURS.whisker}" stroke-width="1.5"/>`,
    ...(figure.goal === null
      ? []
      : [
          `<line x1="${x(figure.goal)}" x2="${x(figure.goal)}" y1="${y + 2}" y2="${y + ROW - 2}" stroke="${COLOURS.goal}" stroke-width="2"/>`,
        ]),
    `<text x="${Math.max(far, end) + 6}" y="${middle + 4}" fill="${COLOURS.text}" stroke="#ffffff" stroke-width="4" paint-order="stroke">${amount(figure.median, 'ms')}</text>`,
  ]
}

const shortened = (title: string) => (title.length > 62 ? `${title.slice(0, 61)}…` : title)

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
