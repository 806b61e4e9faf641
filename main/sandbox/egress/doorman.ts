import type net from 'node:net'
import type { EgressAttempt } from '../../contract/egress.ts'
import type { Rule } from './allowlist.ts'
import { decide, type Resolve } from './destination.ts'
import { connectUpstream, whyNot } from './upstream.ts'

const IDLE_MS = 10 * 60_000

type DoormanOptions = {
  rules: Rule[]
  resolve: Resolve
  maxConnections: number
  onAttempt: (attempt: EgressAttempt) => void
}

/** What the guest is told when it may not, or cannot. */
export type Turned = { kind: 'turned'; status: 403 | 502 | 503; message: string }
export type Admitted = { kind: 'admitted'; socket: net.Socket; host: string }

/** Decides, connects, counts and reports. One way for tunnels and plain requests, so that none goes unlogged. */
export class Doorman {
  readonly maxConnections: number
  readonly #options: DoormanOptions
  #open = 0
  #nextId = 1

  constructor(options: DoormanOptions) {
    this.#options = options
    this.maxConnections = options.maxConnections
  }

  async admit(method: string, wish: { host: string; port: number }): Promise<Admitted | Turned> {
    const began = performance.now()
    const attempt: EgressAttempt = {
      id: this.#nextId++,
      at: new Date().toISOString(),
      method,
      host: wish.host.slice(0, 253),
      port: wish.port,
      outcome: 'refused',
      reason: null,
      address: null,
      bytesUp: 0,
      bytesDown: 0,
      durationMs: 0,
    }
    const report = (change: Partial<EgressAttempt>) => {
      Object.assign(attempt, change, { durationMs: Math.round(performance.now() - began) })
      this.#options.onAttempt({ ...attempt })
    }
    const turn = (status: Turned['status'], outcome: 'refused' | 'failed', reason: string): Turned => {
      report({ outcome, reason })
      return { kind: 'turned', status, message: `GodHand: ${attempt.host}:${wish.port} cannot be reached: ${reason}.` }
    }
    if (this.#open >= this.maxConnections)
      return turn(503, 'refused', 'this machine has too many connections open already')
    this.#open++ // from here on, so that a burst of names still being looked up counts too
    let admitted = false
    try {
      const decision = await decide(this.#options.rules, wish, this.#options.resolve)
      attempt.host = decision.host
      if (decision.kind === 'refused') return turn(403, 'refused', decision.reason)
      if (decision.kind === 'failed') return turn(502, 'failed', decision.reason)
      let upstream: Awaited<ReturnType<typeof connectUpstream>>
      try {
        upstream = await connectUpstream(decision.addresses, wish.port)
      } catch (error) {
        return turn(502, 'failed', whyNot(error))
      }
      const { socket, address } = upstream
      admitted = true
      socket.setTimeout(IDLE_MS, () => socket.destroy())
      socket.once('close', () => {
        this.#open--
        report({ outcome: 'closed', bytesUp: socket.bytesWritten, bytesDown: socket.bytesRead })
      })
      report({ outcome: 'open', address })
      return { kind: 'admitted', socket, host: decision.host }
    } finally {
      if (!admitted) this.#open--
    }
  }
}
