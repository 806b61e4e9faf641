import { expect, it } from 'vitest'
import { BenchmarkReport } from '../../main/contract/benchmark.ts'
import { makeReport } from './report.ts'
import { Samples } from './samples.ts'

it('a report is one the app can show', () => {
  const samples = new Samples()
  for (const value of [10_000, 12_000]) samples.add('cold-boot', value)
  for (const value of [90, 110]) samples.add('fresh-desktop', value)
  const made = makeReport(samples, {
    quick: true,
    host: { system: 'Linux x64', processor: 'p', cpus: 2, memoryBytes: 8e9, loadBefore: 0 },
    machine: { image: 'desktop', memoryBytes: 2e9, cpus: 2, accelerator: 'tcg', qemu: '10.0.2' },
  })
  const shown = BenchmarkReport.parse(JSON.parse(JSON.stringify(made)))
  expect(shown.figures.map(({ id }) => id)).toEqual(['cold-boot', 'fresh-desktop'])
  expect(shown.figures[1]?.against?.ratio).toBeCloseTo(110)
  expect(shown.promises[0]).toMatchObject({ kept: true })
})
