import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { BenchmarkKind, type BenchmarkRun, type BenchmarkState } from '../contract/benchmark.ts'
import { GodHandError } from '../contract/errors.ts'
import type { Paths } from '../paths.ts'
import { newId } from '../trace/ids.ts'
import { programs } from './benchmark-kinds.ts'
import { benchmarkScript, hasBenchmark, runBenchmark } from './benchmark-process.ts'
import { BenchmarkRuns } from './benchmark-runs.ts'
import type { Events } from './events.ts'

type Options = { paths: Paths; events: Events; scriptOf?: (kind: BenchmarkKind) => string | null }
type Current = { run: BenchmarkRun; stop: AbortController; over: Promise<void> }

/** Benchmarks as jobs: one at a time, watched by events, stopped at any moment, kept when they are over. */
export class Benchmarks {
  readonly #paths: Paths
  readonly #events: Events
  readonly #runs: BenchmarkRuns
  readonly #scriptOf: (kind: BenchmarkKind) => string | null
  #current: Current | null = null

  constructor({ paths, events, scriptOf }: Options) {
    this.#paths = paths
    this.#events = events
    this.#runs = new BenchmarkRuns(paths.benchmarks)
    this.#scriptOf = scriptOf ?? ((kind) => (hasBenchmark(kind) ? benchmarkScript(kind) : null))
  }

  get busy(): boolean {
    return this.#current !== null
  }

  list(): { available: BenchmarkKind[]; runs: BenchmarkRun[] } {
    const available = BenchmarkKind.options.filter((kind) => this.#scriptOf(kind) !== null)
    return { available, runs: [...(this.#current ? [this.#current.run] : []), ...this.#runs.list()] }
  }

  start(kind: BenchmarkKind, quick: boolean): BenchmarkRun {
    const script = this.#scriptOf(kind)
    if (script === null)
      throw new GodHandError('unsupported', 'This installation carries no benchmarks.', {
        hint: 'They come with the sources: see `npm run bench:perf` there.',
      })
    if (this.#current)
      throw new GodHandError('conflict', 'A benchmark is running; two at once would measure each other.', {
        hint: 'Wait for it, or stop it.',
        details: { runId: this.#current.run.id },
      })
    const run: BenchmarkRun = {
      id: newId('bench'),
      kind,
      quick,
      startedAt: new Date().toISOString(),
      endedAt: null,
      state: { kind: 'running', progress: { step: 'Starting', done: 0, total: -1 } },
    }
    const current: Current = { run, stop: new AbortController(), over: Promise.resolve() }
    this.#current = current
    this.#enter(current, run.state)
    current.over = this.#work(current, script)
    return run
  }

  async cancel(runId: string): Promise<BenchmarkRun> {
    const current = this.#current
    if (current?.run.id !== runId) return this.#find(runId)
    current.stop.abort()
    await current.over
    return current.run
  }

  remove(runId: string): void {
    if (this.#current?.run.id === runId)
      throw new GodHandError('conflict', 'This benchmark is still running.', { hint: 'Stop it first.' })
    this.#runs.remove(this.#find(runId).id)
  }

  async close(): Promise<void> {
    if (this.#current) await this.cancel(this.#current.run.id)
  }

  async #work(current: Current, script: string): Promise<void> {
    const { run, stop } = current
    const { quick } = run
    const program = programs[run.kind]
    const args = program.args({ quick, folder: this.#runs.folderOf(run.id) })
    const onProgress = (progress: Extract<BenchmarkState, { kind: 'running' }>['progress']) =>
      this.#enter(current, { kind: 'running', progress })
    let end: BenchmarkState
    try {
      const output = await runBenchmark({ script, args, paths: this.#paths, onProgress, signal: stop.signal })
      end = { kind: 'done', report: program.read(output, quick) }
    } catch (thrown) {
      const error = GodHandError.from(thrown)
      end = error.code === 'cancelled' ? { kind: 'cancelled' } : { kind: 'failed', error: error.toInfo() }
    }
    this.#sweep()
    this.#current = null
    current.run = { ...current.run, endedAt: new Date().toISOString() }
    if (end.kind !== 'cancelled') this.#runs.save({ ...current.run, state: end })
    else this.#runs.remove(run.id)
    this.#enter(current, end)
  }

  #enter(current: Current, state: BenchmarkState): void {
    current.run = { ...current.run, state }
    this.#events.emit({ type: 'benchmark', run: current.run })
  }

  #find(runId: string): BenchmarkRun {
    const run = this.#runs.list().find(({ id }) => id === runId)
    if (!run) throw new GodHandError('not_found', `There is no benchmark ${runId}.`)
    return run
  }

  /** A benchmark that was ended from outside could not tidy up after itself. */
  #sweep(): void {
    for (const name of readdirSync(this.#paths.home))
      if (/^(perf|bench)-/.test(name)) rmSync(path.join(this.#paths.home, name), { recursive: true, force: true })
  }
}
