import { type Day, DayLedger } from '../agent/leash/budget.ts'
import { type DayBudget, DayLimits, DaySpent } from '../contract/day-budget.ts'
import { json } from '../trace/columns.ts'
import type { Store } from '../trace/store.ts'

const LIMITS = 'day_budget'
const SPENT = 'day_spent'

/**
 * The budget of a day, kept in the database with every step. It is counted as it is spent and not read off the traces:
 * deleting one gives nothing back, and importing one costs nothing.
 */
export class DayBudgetKeeper {
  readonly #meta: Store['meta']
  readonly #ledger: DayLedger

  constructor({ meta }: Store, now?: () => Date) {
    this.#meta = meta
    const saved = json(DaySpent).safeParse(meta.get(SPENT) ?? '')
    const keep = (spent: DaySpent) => meta.set(SPENT, JSON.stringify(spent))
    this.#ledger = new DayLedger(saved.data ?? null, keep, now)
  }

  get day(): Day {
    return { ledger: this.#ledger, limits: () => this.#limits }
  }

  get(): DayBudget {
    return { limits: this.#limits, spent: this.#ledger.spent }
  }

  /** Also for tasks that run: they ask before each step. */
  set(limits: DayLimits): DayBudget {
    this.#meta.set(LIMITS, JSON.stringify(limits))
    return this.get()
  }

  get #limits(): DayLimits {
    return json(DayLimits).safeParse(this.#meta.get(LIMITS) ?? '').data ?? {}
  }
}
