import { type Act, describeAct } from '../contract/action.ts'
import type { Consequence } from '../contract/branching.ts'
import type { ActResult } from '../contract/task.ts'
import type { Usage } from '../contract/usage.ts'
import type { Meter } from './leash/budget.ts'
import { Circles } from './leash/circles.ts'
import { Gate } from './leash/gate.ts'
import { type Policy, type Risk, risksIn } from './leash/policy.ts'
import { markUntrusted } from './planners/conversation/untrusted.ts'

/** A question of leave: these acts, for these reasons. Whoever shows it knows the screen at that moment. */
export type ApprovalRequest = { acts: Act[]; risks: Risk[]; consequence?: Consequence }
/** `allow_all`: this and everything like it until the task ends. */
export type ApprovalAnswer = 'allow' | 'allow_all' | 'deny'

/** Where the person wants the machine to be again. */
export type PutBack = { snapshotId: string; name: string }

export type LeashOptions = {
  meter: Meter
  policy: Policy
  /** A script may well do the same again and again: only a planner that has other ideas is told. */
  watchCircles?: boolean
  /** The task it is a branch of: its pauses are those of all its branches. */
  above?: Pick<Leash, 'paused' | 'untilResumed'>
  /** Shows the question to the person. Without it what is risky is denied: nobody is there to allow it. */
  askApproval?: (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>
}

/**
 * All that keeps a running task within bounds, and lets a person step in. The loop asks it at three moments: before a step,
 * before acts are done, and after a step.
 */
export class Leash {
  readonly meter: Meter
  readonly #options: LeashOptions
  readonly #gate = new Gate()
  readonly #circles = new Circles()
  #guidance: string[] = []
  #notes: string[] = []
  #allowed = new Set<string>()
  #takeover: Act[] | null = null
  #putBack: PutBack | null = null
  #moving: Promise<unknown> = Promise.resolve()

  constructor(options: LeashOptions) {
    this.#options = options
    this.meter = options.meter
  }

  get paused(): boolean {
    return this.#gate.paused
  }

  /** Nothing more is begun: only the act under way is finished. Time does not run meanwhile. */
  pause(): void {
    this.#gate.pause()
  }

  resume(): void {
    if (this.#takeover) this.handBack()
    this.#gate.resume()
  }

  /** What GodHand itself has to say to the planner. */
  note(text: string): void {
    this.#notes.push(text)
  }

  /** Reaches the very next turn. */
  guide(text: string): void {
    if (text.trim() !== '') this.#guidance.push(text.trim())
  }

  /** The person drives. What they do is to be recorded with `recordAct`. */
  takeOver(): void {
    this.#takeover ??= []
    this.pause()
    this.#gate.knock() // what waited for the end of a pause learns that it will not be done
  }

  recordAct(act: Act): void {
    this.#takeover?.push(act)
  }

  get takenOver(): boolean {
    return this.#takeover !== null
  }

  /** An act that moves the pointer or types. */
  moving<T>(act: () => Promise<T>): Promise<T> {
    const done = act()
    this.#moving = done.catch(() => {})
    return done
  }

  /** When the act under way has let go of mouse and keyboard: before that, two would type into each other. */
  async handsFree(): Promise<void> {
    await this.#moving
  }

  /** Waits while it is paused, or while the task it is a branch of is. */
  async untilResumed(signal: AbortSignal): Promise<void> {
    if (!this.paused && !this.#options.above?.paused) return
    this.meter.stopClock()
    while (this.#gate.paused) await this.#gate.pass(signal)
    await this.#options.above?.untilResumed(signal)
    this.meter.startClock()
  }

  /**
   * Before each act of a turn: waits while paused. Gives the result for an act that is not to be done any more, because the
   * person took over or put the machine back meanwhile, or null. `stubborn`: nobody could decide anew after a takeover.
   */
  async beforeAct(signal: AbortSignal, stubborn: boolean): Promise<ActResult | null> {
    while (this.#gate.paused) {
      if (this.#putBack) return PUT_BACK
      if (this.#takeover && !stubborn) return TOOK_OVER
      this.meter.stopClock()
      await this.#gate.pass(signal)
      this.meter.startClock()
    }
    await this.untilResumed(signal)
    return null
  }

  /** The planner learns what was done while it was not looking, and what is different now. */
  handBack(changes: string[] = []): void {
    const acts = this.#takeover ?? []
    this.#takeover = null
    const did = acts.length > 0 ? ` They did: ${summary(acts)}.` : ''
    // Names of files and windows are the machine's words.
    const changed = changes.length > 0 ? ` What changed meanwhile:\n${markUntrusted(changes.join('\n'))}\n` : ''
    this.#notes.push(
      `The person took over for a while and has handed back.${did}${changed} The screen may look different: look before going on.`,
    )
    this.#gate.resume()
  }

  /** Done before the next step, also while paused. */
  putBack(place: PutBack): void {
    this.#putBack = place
    this.#gate.knock()
  }

  /** Before each step: waits while paused, then says why the task must end here, or null. */
  async before(signal: AbortSignal, putBack?: (place: PutBack) => Promise<void>): Promise<string | null> {
    for (;;) {
      const place = this.#putBack
      this.#putBack = null
      if (place) {
        await putBack?.(place)
        continue // there may be another by now
      }
      if (!this.#gate.paused) break
      this.meter.stopClock()
      await this.#gate.pass(signal)
      this.meter.startClock()
    }
    await this.untilResumed(signal)
    signal.throwIfAborted()
    if (this.#circles.hopeless) return 'The agent went in circles and did not find a way out.'
    return this.meter.over()
  }

  /** For the observation of the next turn. Each word is given out once. */
  takeWords(): { guidance: string[]; notes: string[] } {
    return { guidance: this.#guidance.splice(0), notes: this.#notes.splice(0) }
  }

  /**
   * Null when the acts may be done; else the result for the first of them, and none is done. `rehearse` shows what they
   * would do, where that can be tried out: it is called only when somebody is asked because of a risk.
   */
  async mayAct(
    acts: Act[],
    signal: AbortSignal,
    rehearse?: () => Promise<Consequence | null>,
  ): Promise<ActResult | null> {
    const risks = risksIn(acts, this.#options.policy).filter(({ why }) => !this.#allowed.has(why))
    if (risks.length === 0) return null
    this.meter.stopClock()
    const canTry = this.#options.askApproval && this.#options.policy.mode === 'risk'
    const consequence = canTry ? await rehearse?.() : null
    const wish = { acts, risks, ...(consequence ? { consequence } : {}) }
    const answer = (await this.#options.askApproval?.(wish, signal)) ?? 'deny'
    this.meter.startClock()
    signal.throwIfAborted()
    if (answer === 'allow_all') for (const { why } of risks) this.#allowed.add(why)
    if (answer !== 'deny') return null
    const reasons = [...new Set(risks.map(({ why }) => why))].join(' ')
    return {
      ok: false,
      error: {
        code: 'cancelled',
        message: `The person did not allow this. ${reasons}`,
        hint: 'Find another way, or ask them.',
      },
    }
  }

  /** After each step. `screen` is the hash of the frame it left. */
  after(step: { acts: Act[]; screen: string; usage?: Usage | undefined }): void {
    this.meter.step(step.usage)
    if (this.#options.watchCircles === false) return
    const note = this.#circles.note(step.acts, step.screen)
    if (note) this.#notes.push(note)
  }
}

/** For a turn that was decided while nobody had taken over yet. */
const TOOK_OVER: ActResult = {
  ok: false,
  error: {
    code: 'cancelled',
    message: 'The person took over before this was done.',
    hint: 'Look at what they left, and decide anew.',
  },
}

const PUT_BACK: ActResult = {
  ok: false,
  error: { code: 'cancelled', message: 'The person put the machine back before this was done.' },
}

function summary(acts: Act[]): string {
  const shown = acts.slice(-20).map(describeAct).join('; ')
  return acts.length > 20 ? `${acts.length - 20} other things; ${shown}` : shown
}
