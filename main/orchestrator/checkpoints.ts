import { Policy, risksIn } from '../agent/leash/policy.ts'
import type { Act } from '../contract/action.ts'
import type { Checkpoints } from '../contract/branching.ts'
import type { Step } from '../contract/task.ts'
import type { Log } from '../log.ts'
import type { Line } from './line.ts'

/** What a task may still keep by itself, on its own line and in all its branches together. */
export class CheckpointBudget {
  #left: number

  constructor(most: number) {
    this.#left = most
  }

  take(): boolean {
    if (this.#left === 0) return false
    this.#left--
    return true
  }
}

export type Keeping = { line: Line; limits: Checkpoints; budget: CheckpointBudget; log: Log }

/** The moments a line keeps its machine by itself: before what is risky, after a branch, and every few good steps. */
export class AutomaticCheckpoints {
  readonly #keeping: Keeping
  #good = 0

  constructor(keeping: Keeping) {
    this.#keeping = keeping
  }

  /** Whoever may do it without being asked can still be sorry. */
  async before(acts: Act[]): Promise<void> {
    if (risksIn(acts, usualRisks).length > 0) await this.#keep('before a risky step')
  }

  /** The snapshot the machine is at once the step is over, or null. */
  async after({ verdict, acts }: Pick<Step, 'verdict'> & { acts: Act[] }): Promise<string | null> {
    if (verdict === 'fail') return null
    const last = acts.at(-1)?.type
    if (last === 'checkpoint' || last === 'rollback') {
      this.#good = 0
      return this.#keeping.line.head()
    }
    this.#good++
    const due = this.#keeping.limits.every > 0 && this.#good >= this.#keeping.limits.every
    return due || last === 'branch' ? this.#keep(null) : null
  }

  /** A task goes on without one: a full disk must not end it. */
  async #keep(label: string | null): Promise<string | null> {
    const { line, budget, log } = this.#keeping
    if (!budget.take()) return null
    try {
      const { id } = await line.keep(label)
      this.#good = 0
      return id
    } catch (thrown) {
      log.warn({ machineId: line.machineId, err: thrown }, 'a checkpoint could not be taken')
      return null
    }
  }
}

const usualRisks = Policy.parse({ mode: 'risk' })
