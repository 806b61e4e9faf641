import { describeAct } from '../../contract/action.ts'
import type { Recovery } from '../../contract/branching.ts'
import type { Step } from '../../contract/task.ts'
import type { LastTurn } from '../planner.ts'

/** A moment to which the machine can go back, and where the planner stood then. */
export type GoodPoint = { snapshotId: string | null; behind: number; last: LastTurn | null } // null: the task's beginning

/** Sees when things go wrong again and again, and knows where they were last right. */
export class RecoveryWatch {
  readonly #limits: Recovery
  #good: GoodPoint
  #since: Step[] = []
  #failures = 0
  #used = 0

  constructor(limits: Recovery, beginning: GoodPoint) {
    this.#limits = limits
    this.#good = beginning
  }

  get on(): boolean {
    return this.#limits.times > 0
  }

  /** The machine was kept here, and nothing was wrong. */
  remember(point: GoodPoint): void {
    this.#good = point
    this.#since = []
  }

  /** After each step. Gives the point to go back to and what to tell the planner, or null. */
  see(step: Step): { point: GoodPoint; note: string } | null {
    this.#since.push(step)
    if (step.verdict === 'pass') this.#failures = 0
    if (step.verdict === 'fail') this.#failures++
    if (this.#failures < this.#limits.after || this.#used >= this.#limits.times) return null
    this.#used++
    this.#failures = 0
    const tried = this.#since.flatMap(({ actions }) => actions.map(({ act }) => describeAct(act)))
    const why = troubleOf(step)
    this.#since = []
    return {
      point: this.#good,
      note: `It went wrong ${this.#limits.after === 1 ? '' : `${this.#limits.after} times in a row `}(${why}), so the machine was put back to ${
        this.#good.snapshotId ? 'its last good checkpoint' : 'where the task began'
      }. What was tried since then is undone: ${tried.slice(-20).join('; ') || 'nothing'}. Do not do the same again: find another way.`,
    }
  }
}

function troubleOf({ actions, checks }: Step): string {
  const act = actions.find(({ result }) => !result.ok)
  if (act) return act.result.error?.message ?? 'an action failed'
  return checks.find(({ verdict }) => !verdict.pass)?.verdict.summary ?? 'a step failed'
}
