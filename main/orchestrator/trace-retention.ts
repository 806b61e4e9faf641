import { type Expired, type Freed, RetentionPolicy } from '../contract/trace.ts'
import type { Log } from '../log.ts'
import type { FrameStore } from '../trace/frame-store.ts'
import { applyRetention, expiredTraces } from '../trace/retention.ts'
import type { Store } from '../trace/store.ts'

const POLICY = 'traces.retention'
const EVERY_MS = 6 * 60 * 60_000

/** How long traces stay. Without a policy, for ever. */
export class TraceRetention {
  readonly #store: Store
  readonly #frames: FrameStore
  readonly #timer: NodeJS.Timeout
  #work: Promise<unknown> = Promise.resolve()

  constructor(store: Store, frames: FrameStore, log: Log) {
    this.#store = store
    this.#frames = frames
    const sweep = () => {
      if (this.get()) this.apply().catch((err: unknown) => log.warn({ err }, 'old traces could not be removed'))
    }
    this.#timer = setInterval(sweep, EVERY_MS).unref()
    sweep()
  }

  get(): RetentionPolicy | null {
    const text = this.#store.meta.get(POLICY)
    return text ? RetentionPolicy.parse(JSON.parse(text)) : null
  }

  /** Null: keep everything. Nothing is removed before the next sweep, or `apply`. */
  set(policy: RetentionPolicy | null): RetentionPolicy | null {
    if (policy) this.#store.meta.set(POLICY, JSON.stringify(policy))
    else this.#store.meta.remove(POLICY)
    return this.get()
  }

  /** What a policy would remove. */
  preview(policy: RetentionPolicy | null = this.get()): Expired[] {
    return policy ? expiredTraces(this.#store, policy) : []
  }

  apply(): Promise<Freed> {
    const work = this.#work.then(() =>
      applyRetention(this.#store, this.#frames, this.get() ?? RetentionPolicy.parse({})),
    )
    this.#work = work.catch(() => {})
    return work
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#work
  }
}
