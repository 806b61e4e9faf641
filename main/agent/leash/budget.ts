import type { DayLimits, DaySpent } from '../../contract/day-budget.ts'
import { addUsage, noUsage, totalTokens, type Usage } from '../../contract/usage.ts'

/** How much a task may take. What is left out does not limit. */
export type Limits = { maxSteps?: number; maxMinutes?: number; maxTokens?: number; maxUsd?: number }

/** What all tasks of one day took. A new day begins at midnight where the person is. */
export class DayLedger {
  readonly #now: () => Date
  readonly #onChange: (state: DaySpent) => void
  #state: DaySpent

  constructor(
    saved: DaySpent | null,
    onChange: (state: DaySpent) => void = () => {},
    now: () => Date = () => new Date(),
  ) {
    this.#now = now
    this.#onChange = onChange
    this.#state = saved ?? nothingOn(dayOf(now()))
  }

  get spent(): DaySpent {
    const today = dayOf(this.#now())
    return this.#state.day === today ? this.#state : nothingOn(today)
  }

  add(usage: Usage): void {
    const { usage: sum, ...rest } = this.spent
    this.#state = { ...rest, usage: addUsage(sum, { ...usage, usd: usage.usd ?? 0 }) }
    this.#onChange(this.#state)
  }

  /** A step whose price is not known adds no money: it must not make that of all others uncountable. */
  addStep(usage: Usage, elapsedMs: number): void {
    const { day, steps, elapsedMs: before, usage: sum } = this.spent
    const added = addUsage(sum, { ...usage, usd: usage.usd ?? 0 })
    this.#state = { day, steps: steps + 1, elapsedMs: before + elapsedMs, usage: added }
    this.#onChange(this.#state)
  }
}

const nothingOn = (day: string): DaySpent => ({ day, steps: 0, elapsedMs: 0, usage: noUsage })

function dayOf(date: Date): string {
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
}

/** Counts what a task takes. Time stands still while it is paused. */
export class Meter {
  readonly #limits: Limits
  readonly #day: Day | null
  readonly #clock: () => number
  #steps: number
  #usage: Usage
  #elapsedMs: number
  #since: number | null
  #toldDayMs: number // how much of the time the day knows of

  /** `before`: what the task took in an earlier process. */
  constructor(
    limits: Limits,
    day: Day | null = null,
    before: { steps: number; usage: Usage; elapsedMs: number } = { steps: 0, usage: noUsage, elapsedMs: 0 },
    clock: () => number = () => performance.now(),
  ) {
    this.#limits = limits
    this.#day = day
    this.#clock = clock
    this.#steps = before.steps
    this.#usage = before.usage
    this.#elapsedMs = before.elapsedMs
    this.#since = clock()
    this.#toldDayMs = before.elapsedMs
  }

  get spent(): { steps: number; usage: Usage; elapsedMs: number } {
    const running = this.#since === null ? 0 : this.#clock() - this.#since
    return { steps: this.#steps, usage: this.#usage, elapsedMs: this.#elapsedMs + running }
  }

  step(usage?: Usage): void {
    this.#steps++
    if (usage) this.#usage = addUsage(this.#usage, usage)
    const { elapsedMs } = this.spent
    this.#day?.ledger.addStep(usage ?? noUsage, elapsedMs - this.#toldDayMs)
    this.#toldDayMs = elapsedMs
  }

  /** What was paid for beside the steps. */
  spend(usage: Usage): void {
    this.#usage = addUsage(this.#usage, usage)
    this.#day?.ledger.add(usage)
  }

  stopClock(): void {
    this.#elapsedMs = this.spent.elapsedMs
    this.#since = null
  }

  startClock(): void {
    this.#since ??= this.#clock()
  }

  /** One sentence about the budget that is spent, or null. */
  over(): string | null {
    const { steps, usage, elapsedMs } = this.spent
    const { maxSteps, maxMinutes, maxTokens, maxUsd } = this.#limits
    if (maxSteps !== undefined && steps >= maxSteps) return `The budget of ${maxSteps} steps is spent.`
    if (maxMinutes !== undefined && elapsedMs >= maxMinutes * 60_000)
      return `The budget of ${maxMinutes} minutes is spent.`
    const task = overIn(usage, { maxTokens, maxUsd }, 'of this task')
    if (task) return task
    return this.#day ? overToday(this.#day, usage) : null
  }
}

/** The limits are asked for each time: the person may change them while tasks run. */
export type Day = { ledger: DayLedger; limits: () => DayLimits }

function overToday({ ledger, limits }: Day, ofTask: Usage): string | null {
  const { maxSteps, maxMinutes, ...money } = limits()
  const { steps, elapsedMs, usage } = ledger.spent
  if (maxSteps !== undefined && steps >= maxSteps) return `The budget of today, ${maxSteps} steps, is spent.`
  if (maxMinutes !== undefined && elapsedMs >= maxMinutes * 60_000)
    return `The budget of today, ${maxMinutes} minutes, is spent.`
  return overIn(ofTask.usd === null ? { ...usage, usd: null } : usage, money, 'of today')
}

function overIn(
  usage: Usage,
  limits: { maxTokens?: number | undefined; maxUsd?: number | undefined },
  whose: string,
): string | null {
  const { maxTokens, maxUsd } = limits
  if (maxTokens !== undefined && totalTokens(usage) >= maxTokens)
    return `The budget ${whose}, ${maxTokens.toLocaleString('en')} tokens, is spent.`
  if (maxUsd === undefined) return null
  if (usage.usd === null)
    return `What this model costs is not known, so the budget ${whose} in money cannot be kept. Set one in tokens instead.`
  return usage.usd >= maxUsd ? `The budget ${whose}, $${maxUsd}, is spent.` : null
}
