import { GodHandError } from '../contract/errors.ts'
import type { Machine } from '../contract/machine.ts'
import type { AttachedEgress } from '../sandbox/egress/attach.ts'
import type { NetworkWatch, Sandbox } from '../sandbox/sandbox.ts'
import type { OnAttempt } from './way-out.ts'

/** Everything a machine keeps while it sleeps as well as while it is up. */
export type LiveMachineParts = {
  machine: Machine
  allow: string[]
  held: OnAttempt | null
  /** The snapshot its next one will be a child of. */
  head: string | null
}

/** One machine of the room, awake or asleep, and who is using it. */
export class LiveMachine {
  readonly machine: Machine
  readonly allow: string[]
  head: string | null
  sandbox: Sandbox | null = null // null while suspended
  /** Every try of the guest to reach something is told here and refused, until it is released. */
  held: OnAttempt | null
  egress: AttachedEgress | null = null
  /** While it is held: also what its programs try without the proxy. */
  watch: NetworkWatch | null = null
  usedAt = Date.now()
  #users = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor({ machine, allow, held, head }: LiveMachineParts) {
    this.machine = machine
    this.allow = allow
    this.held = held
    this.head = head
  }

  get id(): string {
    return this.machine.id
  }

  /** Calls and live views under way. */
  get inUse(): boolean {
    return this.#users > 0
  }

  /** Counts as used from now until what is returned is called. */
  startUse(): () => void {
    this.#users++
    return () => {
      this.#users--
      this.usedAt = Date.now()
    }
  }

  /** Going to sleep and waking up happen one after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => {})
    return result
  }

  /** When it is on no way into or out of sleep any more. */
  get settled(): Promise<unknown> {
    return this.#turn
  }

  /** Of a machine that is up. */
  awake(): Sandbox {
    if (this.sandbox) return this.sandbox
    throw new GodHandError('conflict', `Machine ${this.id} is suspended.`, { hint: 'Use it by hand and it wakes up.' })
  }

  describe(): Machine {
    const { sandbox } = this
    const now = sandbox ? { state: sandbox.state, pid: sandbox.pid, screen: sandbox.screen } : SUSPENDED
    return { ...this.machine, ...now, parentSnapshot: this.head }
  }
}

const SUSPENDED = { state: { kind: 'paused' as const, suspended: true }, pid: null }
