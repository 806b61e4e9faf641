import { GodHandError } from '../contract/errors.ts'
import type { OnProgress, Progress } from '../contract/progress.ts'
import type { Readiness } from '../contract/rpc.ts'
import type { SandboxDriver } from '../sandbox/sandbox.ts'
import type { Events } from './events.ts'

/** Brings the machine room into order at start, and tells how far it is. */
export class RoomKeeper {
  readonly #driver: SandboxDriver
  readonly #events: Events
  #state: Readiness = { kind: 'preparing', progress: { step: 'Looking at the machine', done: 0, total: -1 } }
  #work: Promise<void> = Promise.resolve()
  #working = false

  constructor(driver: SandboxDriver, events: Events) {
    this.#driver = driver
    this.#events = events
  }

  get state(): Readiness {
    return this.#state
  }

  /** `before` brings what is missing. Asked again while it is under way, it goes on as it is. */
  prepare(
    image: string,
    signal: AbortSignal,
    before: (onProgress: OnProgress) => Promise<void> = async () => {},
  ): void {
    if (this.#working) return
    this.#working = true
    const report = (progress: Progress) => this.#report(progress)
    this.#work = before(report)
      .then(() => this.#driver.prepare(image, report, signal))
      .then(() => this.#driver.capabilities())
      .then(({ accelerator }) => this.#set({ kind: 'ready', image, accelerator: accelerator ?? 'none' }))
      .catch((error: unknown) => this.#set({ kind: 'broken', error: GodHandError.from(error).toInfo() }))
      .finally(() => {
        this.#working = false
      })
  }

  /** When the work under way is over, well or not. */
  settled(): Promise<void> {
    return this.#work
  }

  #report(progress: Progress): void {
    const known = this.#state.kind === 'preparing' ? this.#state.progress : null
    if (known?.step !== progress.step || known.done !== progress.done) this.#set({ kind: 'preparing', progress })
  }

  #set(state: Readiness): void {
    this.#state = state
    this.#events.emit({ type: 'readiness', readiness: state })
  }
}
