import fs from 'node:fs/promises'
import path from 'node:path'
import { GodHandError } from '../contract/errors.ts'
import type { ExportJob, ExportWish } from '../contract/export.ts'
import type { Exported } from '../engine.ts'
import type { Paths } from '../paths.ts'
import { exportName, exportTrace } from '../trace/export/export-trace.ts'
import { writers } from '../trace/export/writers.ts'
import type { FrameStore } from '../trace/frame-store.ts'
import { newId } from '../trace/ids.ts'
import type { Store } from '../trace/store.ts'
import type { Events } from './events.ts'
import { locateText } from './locate-text.ts'

type ExportsOptions = { paths: Paths; store: Store; frames: FrameStore; events: Events }
type Running = { job: ExportJob; stop: AbortController; over: Promise<void>; toldAt: number }

/** How often a screen can use to hear of it. */
const TELL_MS = 100
/** A file nobody fetched is not kept for ever. */
const KEEP_MS = 60 * 60_000
const MOST_AT_ONCE = 3

/** Files made of traces, one job each: told of as they grow, and called off at any time. */
export class Exports {
  readonly #options: ExportsOptions
  readonly #jobs = new Map<string, Running>()

  constructor(options: ExportsOptions) {
    this.#options = options
  }

  /** Into `file`, or, when that is null, into one of our own to be fetched. */
  start(wish: ExportWish, file: string | null): ExportJob {
    const { store, paths } = this.#options
    const task = store.tasks.get(wish.taskId)
    if (!task)
      throw new GodHandError('not_found', `There is no trace ${wish.taskId}.`, {
        hint: 'List them: godhand trace list',
      })
    if (wish.machines) this.#refuseSecrets(wish.taskId)
    const working = [...this.#jobs.values()].filter(({ job }) => job.state === 'working').length
    if (working >= MOST_AT_ONCE)
      throw new GodHandError('capacity', `${working} exports are under way already.`, { hint: 'Wait for one of them.' })
    const id = newId('work')
    const job: ExportJob = {
      id,
      taskId: wish.taskId,
      format: wish.format,
      name: exportName(task, wish.format),
      state: 'working',
      progress: null,
      file,
      bytes: null,
      error: null,
    }
    const running: Running = { job, stop: new AbortController(), over: Promise.resolve(), toldAt: 0 }
    this.#jobs.set(id, running)
    running.over = this.#run(running, wish, file ?? path.join(paths.exports, id))
    this.#tell(running, {})
    return running.job
  }

  /** Waits for the end. */
  async finish(id: string): Promise<ExportJob> {
    const running = this.#find(id)
    await running.over
    return running.job
  }

  /** Nothing is left of a file that was under way; one that is done stays done. */
  async cancel(id: string): Promise<ExportJob> {
    this.#find(id).stop.abort()
    return this.finish(id)
  }

  fetch(id: string): Exported {
    const { job } = this.#find(id)
    if (job.state !== 'done' || job.file !== null)
      throw new GodHandError('conflict', `There is nothing to fetch: this export is ${job.state}.`)
    return {
      name: job.name,
      mediaType: writers[job.format].mediaType,
      bytes: job.bytes ?? 0,
      file: path.join(this.#options.paths.exports, id),
    }
  }

  async close(): Promise<void> {
    for (const { stop } of this.#jobs.values()) stop.abort()
    await Promise.all([...this.#jobs.values()].map(({ over }) => over))
    await fs.rm(this.#options.paths.exports, { recursive: true, force: true })
  }

  async #run(running: Running, wish: ExportWish, file: string): Promise<void> {
    const { store, frames, paths } = this.#options
    try {
      if (running.job.file === null) await fs.mkdir(paths.exports, { recursive: true, mode: 0o700 })
      await exportTrace(store, frames, wish.taskId, wish.format, file, {
        redact: wish.redact,
        machines: wish.machines ? paths.snapshots : undefined,
        locate: locateText,
        signal: running.stop.signal,
        onProgress: (progress) => {
          if (Date.now() - running.toldAt >= TELL_MS) this.#tell(running, { progress })
        },
      })
      this.#tell(running, { state: 'done', bytes: (await fs.stat(file)).size })
      if (running.job.file === null) setTimeout(() => void this.#forget(running.job.id), KEEP_MS).unref()
    } catch (thrown) {
      const error = GodHandError.from(thrown)
      this.#tell(running, { state: error.code === 'cancelled' ? 'cancelled' : 'failed', error: error.toInfo() })
    }
  }

  /** A machine's memory still holds what was typed into it. */
  #refuseSecrets(taskId: string): void {
    const used = this.#options.store.steps
      .list(taskId)
      .flatMap(({ actions }) => actions)
      .flatMap(({ act }) => {
        const text =
          act.type === 'type' || act.type === 'write_file' ? act.text : act.type === 'exec' ? act.command : ''
        return /\{\{([\w.-]+)\}\}/.exec(text)?.[1] ?? []
      })
    if (used.length > 0)
      throw new GodHandError(
        'unsupported',
        `The secret “${used[0]}” was typed into these machines, and is still in them.`,
        {
          hint: 'Export the trace without its machines: it holds secrets by name only.',
        },
      )
  }

  async #forget(id: string): Promise<void> {
    this.#jobs.delete(id)
    await fs.rm(path.join(this.#options.paths.exports, id), { force: true })
  }

  #tell(running: Running, changes: Partial<ExportJob>): void {
    running.toldAt = Date.now()
    running.job = { ...running.job, ...changes }
    this.#options.events.emit({ type: 'export', job: running.job })
  }

  #find(id: string): Running {
    const running = this.#jobs.get(id)
    if (!running) throw new GodHandError('not_found', `There is no export ${id}.`)
    return running
  }
}
