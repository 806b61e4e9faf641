import { addUsage, noUsage, totalTokens, type Usage } from '../../contract/usage.ts'

/** How much a task may take. What is left out does not limit. */
export type Limits = { maxSteps?: number; maxMinutes?: number; maxTokens?: number; maxUsd?: number }
/** How much all tasks of a day may take together. */
export type DayLimits = { maxTokens?: number; maxUsd?: number }

/** What all tasks of one day took. A new day begins at midnight where the person is. */
export class DayLedger {
  readonly #now: () => Date
  readonly #onChange: (state: DayState) => void
  #state: DayState

  constructor(
    saved: DayState | null,
    onChange: (state: DayState) => void = () => {},
    now: () => Date = () => new Date(),
  ) {
    this.#now = now
    this.#onChange = onChange
    this.#state = saved ?? { day: dayOf(now()), usage: noUsage }
  }

  get usage(): Usage {
    return this.#state.day === dayOf(this.#now()) ? this.#state.usage : noUsage
  }

  add(usage: Usage): void {
    this.#state = { day: dayOf(this.#now()), usage: addUsage(this.usage, usage) }
    this.#onChange(this.#state)
  }
}
export type DayState = { day: string; usage: Usage }

function dayOf(date: Date): string {
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
}

/** Counts what a task takes. Time stands still while it is paused. */
export class Meter {
  readonly #limits: Limits
  readonly #day: { ledger: DayLedger; limits: DayLimits } | null
  readonly #clock: () => number
  #steps: number
  #usage: Usage
  #elapsedMs: number
  #since: number | null

  /** `before`: what the task took in an earlier process. */
  constructor(
    limits: Limits,
    day: { ledger: DayLedger; limits: DayLimits } | null = null,
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
  }

  get spent(): { steps: number; usage: Usage; elapsedMs: number } {
    const running = this.#since === null ? 0 : this.#clock() - this.#since
    return { steps: this.#steps, usage: this.#usage, elapsedMs: this.#elapsedMs + running }
  }

  step(usage?: Usage): void {
    this.#steps++
    if (!usage) return
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
    return this.#day ? overIn(this.#day.ledger.usage, this.#day.limits, 'of today') : null
  }
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
