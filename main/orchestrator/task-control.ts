import { type Day, Meter } from '../agent/leash/budget.ts'
import { Policy } from '../agent/leash/policy.ts'
import { type ApprovalRequest, Leash, type PutBack } from '../agent/leash.ts'
import { limitsOf } from '../agent/loop.ts'
import type { HumanPlanner } from '../agent/planners/human.ts'
import { GodHandError } from '../contract/errors.ts'
import { ModelChoice } from '../contract/model.ts'
import type { Approval, ApprovalAnswer, PlannerChoice, RunTask, Task, WaitingFor } from '../contract/task.ts'
import type { Conversation } from '../trace/conversations.ts'
import type { Takeover } from './live-view/takeover.ts'

type Pending =
  | { kind: 'question'; resolve: (text: string) => void }
  | { kind: 'approval'; resolve: (answer: ApprovalAnswer) => void }

/** The person's side of one running task: what it waits for, and the ways to step in. Gone when the task has ended. */
export class TaskControl {
  readonly leash: Leash
  /** While the person drives: it knows what they do. */
  takeover: Takeover | null = null
  /** Who decides, where that is a person. */
  human: HumanPlanner | null = null
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
    const hold = this.takeover ? 'taken_over' : this.leash.paused ? 'paused' : null
    return { waitingFor: this.#waitingFor, hold }
  }

  stop(reason: GodHandError): void {
    this.#stop.abort(reason)
  }

  looksAt(frame: string): void {
    this.#frame = frame
  }

  async ask(text: string, signal: AbortSignal, answers?: string[]): Promise<string> {
    this.leash.meter.stopClock()
    const question = { kind: 'question' as const, text, ...(answers && { answers }) }
    try {
      return await this.#wait<string>(question, signal, (resolve) => ({ kind: 'question', resolve }))
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
  takeOver(takeover: Takeover): void {
    this.takeover = takeover
    this.leash.takeOver()
    if (this.#pending?.kind === 'approval') this.#pending.resolve('deny')
  }

  async handBack(): Promise<void> {
    const changes = (await this.takeover?.handBack()) ?? []
    this.takeover = null
    this.leash.handBack(changes)
  }

  /** What is waiting for the person was meant for a machine that is about to go. */
  putBack(place: PutBack): void {
    this.leash.putBack(place)
    if (this.#pending?.kind === 'approval') this.#pending.resolve('deny')
    if (this.#pending?.kind === 'question') this.#pending.resolve('(The machine was put back instead of an answer.)')
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

/** The model that plans, where one does. */
export function modelOf(choice: PlannerChoice): ModelChoice | null {
  return ModelChoice.safeParse(choice).data ?? null
}

const modes: Record<Approval, Policy['mode']> = { always: 'always', risky: 'risk', never: 'never' }

/** The addresses a task may reach are also those it is about, unless it names others. */
export function policyOf({ approval, planner, allow, scope }: RunTask): Policy {
  const mode = modes[approval ?? (isModel(planner) ? 'risky' : 'never')]
  const reachable = allow.length > 0 ? allow.map((rule) => rule.replace(/:\d+$/, '')) : null
  return Policy.parse({ mode, domains: scope.domains ?? reachable, paths: scope.paths ?? null })
}

function notWaiting(what: string): GodHandError {
  return new GodHandError('conflict', `The task does not wait for ${what}.`)
}
