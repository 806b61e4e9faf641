import { GodHandError } from '../contract/errors.ts'
import type { Progress } from '../contract/progress.ts'
import type { Readiness } from '../contract/rpc.ts'
import type { SandboxDriver } from '../sandbox/sandbox.ts'
import type { Events } from './events.ts'

/** Brings the machine room into order at start, and tells how far it is. */
export class RoomKeeper {
  readonly #driver: SandboxDriver
  readonly #events: Events
  #state: Readiness = { kind: 'preparing', progress: { step: 'Looking at the machine', done: 0, total: -1 } }
  #work: Promise<void> = Promise.resolve()

  constructor(driver: SandboxDriver, events: Events) {
    this.#driver = driver
    this.#events = events
  }

  get state(): Readiness {
    return this.#state
  }

  prepare(image: string, signal: AbortSignal): void {
    this.#work = this.#driver
      .prepare(image, (progress) => this.#report(progress), signal)
      .then(() => this.#driver.capabilities())
      .then(({ accelerator }) => this.#set({ kind: 'ready', image, accelerator: accelerator ?? 'none' }))
      .catch((error: unknown) => this.#set({ kind: 'broken', error: GodHandError.from(error).toInfo() }))
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
