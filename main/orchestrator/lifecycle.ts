import { GodHandError } from '../contract/errors.ts'
import type { Machine } from '../contract/machine.ts'
import type { Log } from '../log.ts'
import type { Store } from '../trace/store.ts'
import { hasEnded } from '../trace/task-state.ts'
import type { Machines } from './machines.ts'
import type { SnapshotKeeper } from './snapshot-keeper.ts'

export type LifecycleOptions = { machines: Machines; store: Store; log: Log; snapshots?: SnapshotKeeper }

const MINUTE = 60_000
const SWEEP_MS = 30_000
const COLD_MS = 30 * MINUTE
const IDLE_MINUTES = 'machines.idleSuspendMinutes'
const LIFE_HOURS = 'machines.lifeLimitHours'

/**
 * Suspends machines nobody uses and ends those that have lived too long, so that none is forgotten at full cost, and
 * keeps the snapshots within their budget.
 */
export class Lifecycle {
  readonly #options: LifecycleOptions
  readonly #timer: NodeJS.Timeout
  #sweeping: Promise<void> = Promise.resolve()

  constructor(options: LifecycleOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.sweep(), SWEEP_MS).unref()
  }

  /** Looks at every machine as of `now`. Safe to call again. */
  sweep(now = Date.now()): Promise<void> {
    this.#sweeping = this.#sweeping.then(() => this.#sweep(now))
    return this.#sweeping
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sweeping
  }

  async #sweep(now: number): Promise<void> {
    const { machines, log } = this.#options
    const lifeMs = this.#setting(LIFE_HOURS, 'GODHAND_LIFE_LIMIT_HOURS', 24) * 60 * MINUTE
    const idleMs = this.#setting(IDLE_MINUTES, 'GODHAND_IDLE_SUSPEND_MINUTES', 30) * MINUTE
    const tooOld = machines.list().filter(({ createdAt }) => lifeMs > 0 && now - Date.parse(createdAt) >= lifeMs)
    for (const { id } of tooOld) {
      await machines
        .keep(id)
        .catch((err: unknown) => log.warn({ machineId: id, err }, 'a machine past its time could not be kept'))
      await machines
        .destroy(
          id,
          new GodHandError('timeout', `It reached its life limit of ${lifeMs / MINUTE / 60} hours.`, {
            hint: 'How it was is kept as a snapshot.',
          }),
        )
        .catch((err: unknown) => log.warn({ machineId: id, err }, 'a machine past its time could not be ended'))
    }
    for (const { machine, usedAt } of machines.idle()) {
      if (idleMs === 0 || now - usedAt < idleMs || this.#worksOnTask(machine)) continue
      await machines
        .suspend(machine.id)
        .catch((err: unknown) => log.warn({ machineId: machine.id, err }, 'an idle machine could not be suspended'))
    }
    await this.#tidySnapshots().catch((err: unknown) => log.warn({ err }, 'the snapshots could not be tidied'))
  }

  /** Within the budget, and cold memory compressed, one a sweep: it is background work. What has a name stays. */
  async #tidySnapshots(): Promise<void> {
    const { snapshots, log } = this.#options
    if (!snapshots) return
    const { removed, beforeBytes, afterBytes } = await snapshots.collect()
    if (removed.length > 0) log.info({ removed, beforeBytes, afterBytes }, 'snapshots over the budget were removed')
    await snapshots.compressCold(COLD_MS, 1)
  }

  #worksOnTask({ taskId }: Machine): boolean {
    const task = taskId === null ? null : this.#options.store.tasks.get(taskId)
    return task !== null && !hasEnded(task.state)
  }

  /** What the person has set, else the environment, else the usual. 0: never. */
  #setting(key: string, variable: string, usual: number): number {
    const value = Number(this.#options.store.meta.get(key) ?? process.env[variable] ?? usual)
    return Number.isFinite(value) && value >= 0 ? value : usual
  }
}
