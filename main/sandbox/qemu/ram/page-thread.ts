import { Worker } from 'node:worker_threads'
import { GodHandError } from '../../../contract/errors.ts'
import type { PageJob } from './page-worker.ts'

type Answer = { id: number; result?: unknown; error?: Error }

/** A thread that copies pages, one job after the other. */
export class PageThread {
  #worker: Worker | null = null
  #nextId = 1
  readonly #pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()

  /** Starts it ahead of the first job: a paused guest should not wait for a thread to come up. */
  start(): void {
    this.#worker ??= this.#start()
  }

  run(job: PageJob): Promise<unknown> {
    const id = this.#nextId++
    this.#worker ??= this.#start()
    const worker = this.#worker
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      worker.postMessage({ id, job })
    })
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./page-worker.ts', import.meta.url))
    worker.unref()
    worker.on('message', ({ id, result, error }: Answer) => {
      const pending = this.#pending.get(id)
      this.#pending.delete(id)
      if (error) pending?.reject(error)
      else pending?.resolve(result)
    })
    worker.on('error', (cause: unknown) => this.#fail(cause))
    worker.on('exit', () => this.#fail(new Error('the copying thread ended')))
    return worker
  }

  #fail(cause: unknown): void {
    this.#worker = null
    for (const pending of this.#pending.values())
      pending.reject(new GodHandError('internal', 'Copying the memory of the machine failed.', { cause }))
    this.#pending.clear()
  }
}
