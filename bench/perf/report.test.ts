import { expect, it } from 'vitest'
import { METRICS } from './metrics.ts'
import { page } from './page.ts'
import { plot } from './plot.ts'
import { makeReport, type Surroundings } from './report.ts'
import { Samples, summarize } from './samples.ts'
import { printedTable } from './table.ts'

const around: Surroundings = {
  quick: false,
  host: { system: 'Linux x64', processor: 'a <fast> one', cpus: 2, memoryBytes: 8 * 1024 ** 3, loadBefore: 0.1 },
  machine: { image: 'desktop', memoryBytes: 1024 ** 3, cpus: 2, accelerator: 'tcg', qemu: '10.0.2' },
}

function samples(values: Record<string, number[]>): Samples {
  const all = new Samples()
  for (const { id } of METRICS) for (const value of values[id] ?? []) all.add(id, value)
  return all
}

it('takes the middle of the samples, and the worst of few as the 95th percentile', () => {
  expect(summarize([5, 1, 9])).toMatchObject({ count: 3, median: 5, p95: 9, min: 1, max: 9 })
  expect(summarize([1, 3])?.median).toBe(2)
  expect(summarize(Array.from({ length: 100 }, (_, index) => index + 1))).toMatchObject({ median: 50.5, p95: 95 })
  expect(summarize([])).toBeNull()
})

it('sets each figure against what a user would do instead', () => {
  const { figures } = makeReport(samples({ 'cold-boot': [20_000], 'fresh-desktop': [400, 500, 600] }), around)
  const fresh = figures.find(({ id }) => id === 'fresh-desktop')
  expect(fresh?.against).toEqual({ id: 'cold-boot', median: 20_000, ratio: 40 })
  expect(figures.map(({ id }) => id)).toEqual(['cold-boot', 'fresh-desktop'])
})

it('says which promises were kept, broken or not looked at', () => {
  const { promises } = makeReport(
    samples({ 'cold-boot': [10_000], 'fresh-desktop': [900], 'fork-memory': [100 * 1024 ** 2], screenshot: [61] }),
    around,
  )
  const verdict = (part: string) => promises.find(({ text }) => text.includes(part))
  expect(verdict('15 times faster')).toMatchObject({ kept: false, value: '11.1×' })
  expect(verdict('less than a second')?.kept).toBe(true)
  expect(verdict('quarter of the guest')).toMatchObject({ kept: true, value: '9.8 %' })
  expect(verdict('screenshot takes')?.kept).toBe(false)
  expect(verdict('savevm')).toMatchObject({ kept: null, value: 'not measured' })
})

it('compares only with what is measured as well', () => {
  const ids = new Set<string>(METRICS.map(({ id }) => id))
  for (const metric of METRICS) if ('against' in metric) expect(ids).toContain(metric.against)
})

it('draws every time as a bar inside the picture, and writes everything into table and page', () => {
  const report = makeReport(
    samples({ 'cold-boot': [20_000, 60_000], 'fresh-desktop': [400, 500], 'fork-memory': [1], screenshot: [12] }),
    around,
  )
  const svg = plot(report)
  const bars = [...svg.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)]
  expect(bars).toHaveLength(3)
  for (const [, x, width] of bars) expect(Number(x) + Number(width)).toBeLessThan(960)
  expect(svg).not.toContain('NaN')
  for (const { title } of report.figures) {
    expect(printedTable(report)).toContain(title)
    expect(page(report)).toContain(title)
  }
})
