import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { BenchmarkRun } from '../contract/benchmark.ts'
import { pathsIn } from '../paths.ts'
import { temporaryFolder } from '../trace/testing/samples.ts'
import { programs } from './benchmark-kinds.ts'
import { hasBenchmark, progressOf } from './benchmark-process.ts'
import { Benchmarks } from './benchmarks.ts'
import { Events } from './events.ts'

const report = {
  measuredAt: '2026-01-01T12:00:00.000Z',
  quick: true,
  host: { system: 'Linux x64', processor: 'p', cpus: 2, loadBefore: 0.1, memoryBytes: 1 },
  machine: { image: 'desktop', memoryBytes: 1, accelerator: 'tcg', qemu: '10', cpus: 2 },
  figures: [{ id: 'exec', title: 'Command', unit: 'ms', median: 40, p95: 60, count: 8, min: 30, max: 60 }],
  promises: [{ text: 'Quick', value: '40 ms', kept: true }],
}

/** A benchmark of a few lines, in a process of its own like the real ones. */
function benchmarks(script: string) {
  const folder = temporaryFolder()
  const paths = pathsIn(folder)
  const file = path.join(folder, 'run.mjs')
  writeFileSync(file, script)
  const events = new Events()
  const heard: BenchmarkRun[] = []
  events.on((event) => {
    if (event.type === 'benchmark') heard.push(event.run)
  })
  const all = new Benchmarks({ paths, events, scriptOf: (kind) => (kind === 'perf' ? file : null) })
  const over = () => vi.waitFor(() => expect(heard.at(-1)?.state.kind).not.toBe('running'), { timeout: 15_000 })
  return { all, heard, over, paths, folder }
}

const good = `
  process.stderr.write('fresh desktop 1/2\\nfresh desktop 2/2\\n')
  process.stdout.write(${JSON.stringify(JSON.stringify(report))})
`
const endless = `
  import { mkdirSync } from 'node:fs'
  mkdirSync(process.env.GODHAND_HOME + '/perf-left')
  process.stderr.write('cold boot 1/7\\n')
  setInterval(() => {}, 1000)
`

describe('a benchmark as a job', () => {
  it('tells how far it is, and its figures are kept for the next start', async () => {
    const { all, heard, over, paths } = benchmarks(good)
    const { id } = all.start('perf', true)
    expect(all.busy).toBe(true)
    await over()
    const steps = heard.flatMap(({ state }) => (state.kind === 'running' ? [state.progress.step] : []))
    expect(steps).toEqual(['Starting', 'fresh desktop 1/2', 'fresh desktop 2/2'])
    expect(all.busy).toBe(false)
    const again = new Benchmarks({ paths, events: new Events() }).list().runs
    expect(again).toMatchObject([{ id, kind: 'perf', quick: true, state: { kind: 'done' } }])
    expect(again[0]?.state).toMatchObject({ report: { figures: [{ id: 'exec', median: 40 }] } })
    all.remove(id)
    expect(all.list().runs).toEqual([])
  })

  it('can be stopped, leaves nothing behind, and is then not kept', async () => {
    const { all, heard, folder } = benchmarks(endless)
    const { id } = all.start('perf', false)
    await vi.waitFor(() => expect(existsSync(path.join(folder, 'perf-left'))).toBe(true), { timeout: 15_000 })
    expect((await all.cancel(id)).state).toEqual({ kind: 'cancelled' })
    expect(heard.at(-1)?.state).toEqual({ kind: 'cancelled' })
    expect(all.list().runs).toEqual([])
    expect(readdirSync(folder)).not.toContain('perf-left')
  })

  it('is stopped when the engine leaves', async () => {
    const { all, heard } = benchmarks(endless)
    all.start('perf', false)
    await all.close()
    expect(heard.at(-1)?.state.kind).toBe('cancelled')
  })

  it('runs alone', async () => {
    const { all, over } = benchmarks(good)
    const first = all.start('perf', true)
    expect(() => all.start('perf', true)).toThrow(expect.objectContaining({ code: 'conflict' }))
    expect(() => all.remove(first.id)).toThrow(expect.objectContaining({ code: 'conflict' }))
    await over()
  })

  it.each([
    ['an error of its own', `process.stderr.write('The image is missing.\\n'); process.exit(1)`, /image is missing/],
    ['a report that is none', `process.stdout.write('{"figures":1}')`, /./],
    ['no word', `process.exit(3)`, /without a word/],
  ])('that ends with %s failed, and says why', async (_what, script, message) => {
    const { all, over } = benchmarks(script)
    all.start('perf', true)
    await over()
    expect(all.list().runs[0]?.state).toMatchObject({
      kind: 'failed',
      error: { message: expect.stringMatching(message) },
    })
  })

  it('is offered only where its program is', () => {
    const { all } = benchmarks(good)
    expect(all.list().available).toEqual(['perf'])
    expect(() => all.start('recovery', true)).toThrow(expect.objectContaining({ code: 'unsupported' }))
    expect(hasBenchmark('perf')).toBe(true)
  })

  it('of another version, or half written, is not shown', () => {
    const { all, paths } = benchmarks(good)
    for (const [name, text] of [
      ['bench_1', '{'],
      ['bench_2', '{"id":"bench_2","kind":"speed"}'],
    ] as const) {
      mkdirSync(path.join(paths.benchmarks, name), { recursive: true })
      writeFileSync(path.join(paths.benchmarks, name, 'run.json'), text)
    }
    expect(all.list().runs).toEqual([])
  })
})

it('what recovery is worth is shown with the gain, and kept as a promise', () => {
  const tries = (succeeded: number) => ({ runs: 20, succeeded, rate: succeeded / 20, rollbacks: 9, medianSeconds: 2.5 })
  const { figures, promises } = programs.recovery.read(
    { seed: 7, breaks: 0.4, without: tries(10), with: tries(20) },
    false,
  )
  expect(figures.find(({ id }) => id === 'rate-with')).toMatchObject({ median: 100, against: { ratio: 2 } })
  expect(promises).toMatchObject([{ value: '20 of 20 against 10 of 20', kept: true }])
  expect(programs.recovery.args({ quick: true, folder: '/x' })).not.toContain('--docs')
})

it('a line of progress says how far its part is, where it counts', () => {
  expect(progressOf('snapshots 3/7, depth 2')).toEqual({ step: 'snapshots 3/7, depth 2', done: 3, total: 7 })
  expect(progressOf(' preparing the template ')).toEqual({ step: 'preparing the template', done: 0, total: -1 })
})
