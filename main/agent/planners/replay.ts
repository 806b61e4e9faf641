import { type Act, describeAct } from '../../contract/action.ts'
import type { Assertion } from '../../contract/assertion.ts'
import type { ReplayChoice, ReplayedStep } from '../../contract/replay.ts'
import type { Step } from '../../contract/task.ts'
import type { FrameStore } from '../../trace/frame-store.ts'
import type { StoreReader } from '../../trace/store.ts'
import type { LastTurn, Observation, Planner, Turn } from '../planner.ts'
import { compareScreens, effectDiffers, percent } from './replay/agreement.ts'
import { aimOf, lastAim, shifted, told } from './replay/aim.ts'
import { arrivalOf, finishOf, refusalOf } from './replay/ending.ts'
import type { Pointers } from './replay/pieces.ts'
import { questionOn, readAnswer } from './replay/question.ts'
import { openRecording, type Recording } from './replay/recording.ts'
import { type FindTarget, type Found, findByPicture, findInPlace } from './replay/target.ts'
import { findByText, type ReadText } from './replay/text-target.ts'
import { type Substitution, substitution, type Variable } from './replay/variables.ts'

export type ReplayOptions = {
  variables?: Variable[]
  /** Asked in turn when a target is not where it was and its picture is nowhere: by its text, for one. */
  findTarget?: FindTarget[]
  /** How often to look again, half a second apart, before a screen that does not agree ends the replay. */
  patience?: number
  /** The step to end at, with the machine as it was then. */
  upTo?: number | undefined
  /** Whether the person is asked where the screen no longer agrees, instead of ending there. */
  ask?: boolean
}

const secondsBetweenLooks = 0.5

type Asked = { played: Played; why: string }
type Played = { step: Step; targets: ReplayedStep['targets']; came: LastTurn | null }

export type ReplayParts = {
  store: StoreReader
  frames: FrameStore
  readText?: ReadText | undefined
  base?: string | null // the snapshot its machine stands on
}

/** For `{kind: 'replay'}` in a request. `readText` finds targets by their words, where screens can be read. */
export function replayFor(choice: ReplayChoice, { store, frames, readText, base = null }: ReplayParts): ReplayPlanner {
  const recording = openRecording(store, frames, choice, base)
  return new ReplayPlanner(recording, {
    variables: choice.variables,
    upTo: choice.upTo,
    ask: choice.disagreement === 'ask',
    findTarget: readText ? [findByText(readText)] : [],
  })
}

/**
 * Does again what a trace did, without a model: the same actions and the same expectations, step by step. Targets are
 * found again where they moved to. Where the screen no longer agrees, it asks or stops, and says at which step and why.
 */
export class ReplayPlanner implements Planner {
  readonly name: string
  /** The comparison so far, a recorded step each. */
  readonly report: ReplayedStep[] = []
  readonly #recording: Recording
  readonly #steps: Step[]
  readonly #substitute: Substitution
  readonly #finders: FindTarget[]
  readonly #patience: number
  readonly #upTo: number | undefined
  readonly #ask: boolean
  #next = 0
  #looks = 0
  #open: Played | null = null
  #asked: Asked | null = null
  #pointers: Pointers = { recorded: null, now: null }

  constructor(recording: Recording, options: ReplayOptions = {}) {
    this.name = `replay:${recording.task.id}`
    this.#recording = recording
    this.#steps = recording.steps.filter(
      ({ actions, checks }) => actions.length > 0 || checks.some((check) => check.verdict.pass),
    )
    if (this.#steps.at(-1)?.actions.length === 0) this.#steps.pop() // the finish: its checks are the task's
    this.#substitute = substitution(options.variables ?? [])
    this.#finders = [findInPlace, findByPicture, ...(options.findTarget ?? [])]
    this.#patience = options.patience ?? 20
    this.#upTo = options.upTo
    this.#ask = options.ask ?? false
  }

  /** With the turn comes what was judged on the way to it, so that the comparison is part of the new trace. */
  async next(observation: Observation, signal: AbortSignal): Promise<Turn> {
    const known = this.report.length
    const turn = await this.#decide(observation, signal)
    const compared = this.report.slice(known)
    return compared.length > 0 ? { ...turn, compared } : turn
  }

  async #decide(observation: Observation, signal: AbortSignal): Promise<Turn> {
    const unanswered = this.#asked && this.#answered(this.#asked, observation.last?.answer)
    if (unanswered) return unanswered
    if (observation.last?.turn.kind === 'finish') return refusalOf(observation.last)
    const trouble = this.#open && (await this.#judge(this.#open, observation))
    if (trouble) return trouble
    const step = this.#steps[this.#next]
    return step ? this.#play(step, observation, signal) : this.#finish()
  }

  /** Whether what was just played came out as recorded; a turn when it is to be waited for, or the end. */
  async #judge(played: Played, { frame, last }: Observation): Promise<Turn | null> {
    const { step } = played
    played.came ??= last
    const { results = [], checks = [], settle = null } = played.came ?? {}
    const failure =
      results.find(({ ok }) => !ok)?.error?.message ?? checks.find(({ verdict }) => !verdict.pass)?.verdict.summary
    if (failure) return this.#disagree(played, failure)
    const recorded = step.after ? await this.#recording.frame(step.after) : null
    const { agrees, share } = recorded ? compareScreens(recorded, frame) : { agrees: true, share: null }
    const effect = effectDiffers(step.settle, settle, frame)
    const objection =
      effect ?? (agrees ? null : `${percent(share ?? 1)} of the screen is not as it was in the recording`)
    if (objection && checks.length === 0) {
      if (agrees && effect && (share ?? 1) < 0.03) return this.#close(played, 'agrees', share, null) // it looked so already
      return this.#looks < this.#patience
        ? this.#lookAgain(step)
        : this.#disagree(played, `${objection}, and no check says that this is right`)
    }
    const moved = played.targets.some(({ by }) => by !== 'place')
    return this.#close(
      played,
      objection ? 'differs' : moved ? 'moved' : 'agrees',
      share,
      objection && `${objection}, but its checks hold`,
    )
  }

  #close(played: Played, outcome: ReplayedStep['outcome'], share: number | null, note: string | null): null {
    this.#judged(played, outcome, share, note)
    this.#open = null
    this.#looks = 0
    return null
  }

  async #play(step: Step, observation: Observation, signal: AbortSignal): Promise<Turn> {
    const { acts, targets, lost } = await this.#aim(step, observation, signal)
    if (lost) {
      if (this.#looks < this.#patience) return this.#lookAgain(step)
      return this.#disagree({ step, targets, came: null }, `what was pointed at in the recording is not on the screen`)
    }
    this.#looks = 0
    this.#next++
    this.#open = { step, targets, came: null }
    this.#pointers = {
      recorded: lastAim(step.actions.map(({ act }) => act)) ?? this.#pointers.recorded,
      now: lastAim(acts) ?? this.#pointers.now,
    }
    const expected = step.checks.filter(({ verdict }) => verdict.pass)
    const longest = Math.max(0, ...expected.map(({ verdict }) => verdict.tookMs))
    return {
      kind: 'act',
      thought: `${step.thought}${told(targets)}`,
      acts,
      expect: this.#expected(expected.map(({ assertion }) => assertion)),
      timeoutMs: Math.max(20_000, longest * 3),
    }
  }

  /** The recorded actions that worked, with values put in and targets where they are now. */
  async #aim(step: Step, { frame: now }: Observation, signal: AbortSignal) {
    const recorded = step.before ? await this.#recording.frame(step.before) : null
    const targets: ReplayedStep['targets'] = []
    const acts: Act[] = []
    let move = { x: 0, y: 0 }
    for (const { act, result } of step.actions) {
      if (!result.ok) continue
      const at = aimOf(act)
      const found: Found | null =
        at && recorded ? await this.#find({ recorded, at, now, pointers: this.#pointers }, signal) : null
      if (at && found) {
        targets.push({ ...found, recorded: at })
        move = { x: found.at.x - at.x, y: found.at.y - at.y }
      }
      // What an earlier action of the step brought up is not in the picture from before it; it moves with the rest.
      if (at && recorded && !found && targets.length === 0 && acts.every((before) => before.type === 'wait'))
        return { acts: [], targets, lost: true }
      acts.push(shifted(this.#substitute.act(act), move))
    }
    return { acts, targets, lost: false }
  }

  async #find(wanted: Parameters<FindTarget>[0], signal: AbortSignal): Promise<Found | null> {
    for (const find of this.#finders) {
      const found = await find(wanted, signal)
      if (found) return found
    }
    return null
  }

  #expected(assertions: Assertion[]): Assertion[] {
    return assertions
      .map((assertion) => this.#substitute.assertion(assertion))
      .filter((assertion) => assertion !== null)
  }

  #lookAgain(step: Step): Turn {
    this.#looks++
    const thought = `Waiting for the screen to look as it did at step ${step.index + 1} of the recording.`
    return { kind: 'act', thought, acts: [{ type: 'wait', seconds: secondsBetweenLooks }], expect: [], timeoutMs: 1000 }
  }

  #disagree(played: Played, why: string): Turn {
    if (!this.#ask) return this.#stop(played, why)
    this.#asked = { played, why }
    return questionOn(this.#reason(played, why))
  }

  /** What the person decided; a turn when that ends it, or was not understood. */
  #answered({ played, why }: Asked, answer: string | undefined): Turn | null {
    const wish = readAnswer(answer)
    if (wish === null) return questionOn(this.#reason(played, why))
    this.#asked = null
    this.#looks = 0
    if (wish === 'stop') return this.#stop(played, why)
    const wasPlayed = this.#open !== null
    this.#open = null
    if (wish === 'again' && wasPlayed) this.#next--
    if (wish === 'skip') {
      if (!wasPlayed) this.#next++
      this.#judged(played, 'skipped', null, why)
    }
    return null
  }

  #stop(played: Played, why: string): Turn {
    this.#judged(played, 'stopped', null, why)
    return { kind: 'give_up', thought: 'The replay cannot go on from here.', reason: this.#reason(played, why) }
  }

  #reason({ step }: Played, why: string): string {
    const did = step.actions.map(({ act }) => describeAct(this.#substitute.act(act))).join(', ')
    const reason = `Step ${step.index + 1} of ${this.#recording.task.stepCount} (${did || 'looking'}): ${why}.`
    return reason.replace(/\.\.$/, '.')
  }

  #judged(
    { step, targets }: Played,
    outcome: ReplayedStep['outcome'],
    share: number | null,
    note: string | null,
  ): void {
    this.report.push({ index: step.index, outcome, note, share, targets })
  }

  #finish(): Turn {
    if (this.#upTo !== undefined) return arrivalOf(this.#recording, this.#upTo, this.report.at(-1))
    const { task } = this.#recording
    return finishOf(task, this.#expected(task.checks.map(({ assertion }) => assertion)))
  }
}
