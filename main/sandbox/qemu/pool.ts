import { randomBytes } from 'node:crypto'
import type { QemuSandbox } from './machine.ts'

export type PoolOptions = {
  /** How many stand ready at the most. */
  size: number
  /** Whether the host has memory to spare for one. */
  room: () => boolean
}

/** Work of the person's goes first: machines are made ready when none was asked for in this time. */
const QUIET_MS = 1500

/** Machines of the usual kind that are loaded already and stand still, so that a fresh desktop is only let go. */
export class MachinePool {
  readonly #options: PoolOptions
  readonly #make: (id: string) => Promise<{ key: string; sandbox: QemuSandbox }>
  #ready: { key: string; sandbox: QemuSandbox }[] = []
  #timer: NodeJS.Timeout | null = null
  #filling: Promise<void> = Promise.resolve()
  #closed = false

  constructor(options: PoolOptions, make: (id: string) => Promise<{ key: string; sandbox: QemuSandbox }>) {
    this.#options = options
    this.#make = make
  }

  /** How many could be taken now. */
  get readyCount(): number {
    return this.#ready.length
  }

  /** One made from exactly this template, or null. Others are of no use any more. */
  async take(key: string, id: string): Promise<QemuSandbox | null> {
    while (this.#ready.length > 0) {
      const next = this.#ready.shift()
      if (next?.key === key && next.sandbox.state.kind === 'paused') {
        await next.sandbox.takeIntoUse(id)
        return next.sandbox
      }
      await next?.sandbox.destroy()
    }
    return null
  }

  /** Soon, unless more work comes in between. */
  fillLater(): void {
    if (this.#options.size === 0 || this.#closed) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#filling = this.#filling.then(() => this.#fill())
    }, QUIET_MS).unref()
  }

  async #fill(): Promise<void> {
    while (!this.#closed && this.#ready.length < this.#options.size && this.#options.room()) {
      const made = await this.#make(`pool-${randomBytes(4).toString('hex')}`).catch(() => null)
      if (!made) return // whoever asks for a machine will see why
      if (this.#closed) return made.sandbox.destroy()
      this.#ready.push(made)
    }
    if (!this.#options.room()) await this.#empty()
  }

  async #empty(): Promise<void> {
    await Promise.all(this.#ready.splice(0).map(({ sandbox }) => sandbox.destroy()))
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#filling
    await this.#empty()
  }
}
