import { type Day, Meter } from '../agent/leash/budget.ts'
import { Policy } from '../agent/leash/policy.ts'
import { type ApprovalRequest, Leash } from '../agent/leash.ts'
import { limitsOf } from '../agent/loop.ts'
import { GodHandError } from '../contract/errors.ts'
import type { Approval, ApprovalAnswer, PlannerChoice, RunTask, Task, WaitingFor } from '../contract/task.ts'
import type { Conversation } from '../trace/conversations.ts'

type Pending =
  | { kind: 'question'; resolve: (text: string) => void }
  | { kind: 'approval'; resolve: (answer: ApprovalAnswer) => void }

/** The person's side of one running task: what it waits for, and the ways to step in. Gone when the task has ended. */
export class TaskControl {
  readonly leash: Leash
  readonly #stop = new AbortController()
  readonly #onChange: () => void
  #frame: string | null = null
  #waitingFor: WaitingFor | null = null
  #pending: Pending | null = null

  constructor(request: RunTask, spent: Conversation['spent'] | undefined, day: Day, onChange: () => void) {
    this.#onChange = onChange
    const meter = new Meter(limitsOf(request.budget), day, spent)
    meter.stopClock() // waiting in the queue costs nothing
    this.leash = new Leash({
      meter,
      policy: policyOf(request),
      watchCircles: isModel(request.planner),
      askApproval: (wish, signal) => this.#askApproval(wish, signal),
    })
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** What of a task is known only while it runs. */
  get state(): Pick<Task, 'waitingFor' | 'hold'> {
    const hold = this.leash.takenOver ? 'taken_over' : this.leash.paused ? 'paused' : null
    return { waitingFor: this.#waitingFor, hold }
  }

  stop(reason: GodHandError): void {
    this.#stop.abort(reason)
  }

  looksAt(frame: string): void {
    this.#frame = frame
  }

  async ask(text: string, signal: AbortSignal): Promise<string> {
    this.leash.meter.stopClock()
    try {
      return await this.#wait<string>({ kind: 'question', text }, signal, (resolve) => ({ kind: 'question', resolve }))
    } finally {
      this.leash.meter.startClock()
    }
  }

  answer(text: string): void {
    if (this.#pending?.kind !== 'question') throw notWaiting('an answer')
    this.#pending.resolve(text)
  }

  approve(answer: ApprovalAnswer): void {
    if (this.#pending?.kind !== 'approval') throw notWaiting('leave')
    this.#pending.resolve(answer)
  }

  /** What is waiting for leave is not done any more: the screen it was meant for will not stay. */
  takeOver(): void {
    this.leash.takeOver()
    if (this.#pending?.kind === 'approval') this.#pending.resolve('deny')
  }

  #askApproval({ acts, risks, consequence }: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const shown = risks.map(({ index, why }) => ({ index, why }))
    return this.#wait<ApprovalAnswer>(
      { kind: 'approval', acts, risks: shown, frame: this.#frame, ...(consequence ? { consequence } : {}) },
      signal,
      (resolve) => ({ kind: 'approval', resolve }),
    )
  }

  async #wait<T>(
    waitingFor: WaitingFor,
    signal: AbortSignal,
    pend: (resolve: (value: T) => void) => Pending,
  ): Promise<T> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#pending = pend(resolve)
    this.#waitingFor = waitingFor
    this.#onChange()
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#pending = null
      this.#waitingFor = null
      this.#onChange()
    }
  }
}

export function isModel({ kind }: PlannerChoice): boolean {
  return kind === 'anthropic' || kind === 'openai' || kind === 'local'
}

const modes: Record<Approval, Policy['mode']> = { always: 'always', risky: 'risk', never: 'never' }

/** The addresses a task may reach are also those it is about. */
export function policyOf({ approval, planner, allow }: RunTask): Policy {
  const mode = modes[approval ?? (isModel(planner) ? 'risky' : 'never')]
  const domains = allow.length > 0 ? allow.map((rule) => rule.replace(/:\d+$/, '')) : null
  return Policy.parse({ mode, domains })
}

function notWaiting(what: string): GodHandError {
  return new GodHandError('conflict', `The task does not wait for ${what}.`)
}
