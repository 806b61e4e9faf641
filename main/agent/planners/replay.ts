import { type Act, describeAct, type Point } from '../../contract/action.ts'
import type { Assertion } from '../../contract/assertion.ts'
import type { ReplayChoice, ReplayedStep } from '../../contract/replay.ts'
import type { Step } from '../../contract/task.ts'
import type { FrameStore } from '../../trace/frame-store.ts'
import type { StoreReader } from '../../trace/store.ts'
import type { LastTurn, Observation, Planner, Turn } from '../planner.ts'
import { compareScreens, effectDiffers, percent } from './replay/agreement.ts'
import type { Pointers } from './replay/pieces.ts'
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
}

const secondsBetweenLooks = 0.5

type Played = { step: Step; targets: ReplayedStep['targets']; came: LastTurn | null }

/** For `{kind: 'replay'}` in a request. `readText` finds targets by their words, where screens can be read. */
export function replayFor(
  choice: ReplayChoice,
  { store, frames, readText }: { store: StoreReader; frames: FrameStore; readText?: ReadText | undefined },
): ReplayPlanner {
  const recording = openRecording(store, frames, choice.taskId)
  return new ReplayPlanner(recording, {
    variables: choice.variables,
    findTarget: readText ? [findByText(readText)] : [],
  })
}

/**
 * Does again what a trace did, without a model: the same actions and the same expectations, step by step. Targets are
 * found again where they moved to. Where the screen no longer agrees, it stops and says at which step and why.
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
  #next = 0
  #looks = 0
  #open: Played | null = null
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
  }

  async next(observation: Observation, signal: AbortSignal): Promise<Turn> {
    if (observation.last?.turn.kind === 'finish') return this.#refuse(observation.last)
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
    if (failure) return this.#stop(played, failure)
    const recorded = step.after ? await this.#recording.frame(step.after) : null
    const { agrees, share } = recorded ? compareScreens(recorded, frame) : { agrees: true, share: null }
    const effect = effectDiffers(step.settle, settle, frame)
    const objection =
      effect ?? (agrees ? null : `${percent(share ?? 1)} of the screen is not as it was in the recording`)
    if (objection && checks.length === 0) {
      if (agrees && effect && (share ?? 1) < 0.03) return this.#close(played, 'agrees', share, null) // it looked so already
      return this.#looks < this.#patience
        ? this.#lookAgain(step)
        : this.#stop(played, `${objection}, and no check says that this is right`)
    }
    const moved = played.targets.some(({ by }) => by !== 'place')
    return this.#close(
      played,
      objection ? 'differs' : moved ? 'moved' : 'agrees',
      share,
      objection && `${objection}, but its checks hold`,
    )
  }

  #close({ step, targets }: Played, outcome: ReplayedStep['outcome'], share: number | null, note: string | null): null {
    this.report.push({ index: step.index, outcome, note, share, targets })
    this.#open = null
    this.#looks = 0
    return null
  }

  async #play(step: Step, observation: Observation, signal: AbortSignal): Promise<Turn> {
    const { acts, targets, lost } = await this.#aim(step, observation, signal)
    if (lost) {
      if (this.#looks < this.#patience) return this.#lookAgain(step)
      return this.#stop({ step, targets, came: null }, `what was pointed at in the recording is not on the screen`)
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

  #stop({ step, targets }: Played, why: string): Turn {
    const did = step.actions.map(({ act }) => describeAct(this.#substitute.act(act))).join(', ')
    const reason = `Step ${step.index + 1} of ${this.#recording.steps.length} (${did || 'looking'}): ${why}.`
    this.report.push({ index: step.index, outcome: 'stopped', note: why, share: null, targets })
    return { kind: 'give_up', thought: 'The replay cannot go on from here.', reason: reason.replace(/\.\.$/, '.') }
  }

  #finish(): Turn {
    const { task } = this.#recording
    const checks = this.#expected(task.checks.map(({ assertion }) => assertion))
    if (task.state !== 'succeeded' || checks.length === 0)
      return {
        kind: 'give_up',
        thought: 'Everything the trace holds was done again.',
        reason:
          task.state === 'succeeded'
            ? 'The trace has no final check that could still be made, so success cannot be shown.'
            : `The recorded run itself ${task.state === 'failed' ? 'failed' : `was ${task.state}`}: ${task.verdict ?? task.error?.message ?? 'no reason is known'}`,
      }
    const thought = 'Everything was done again. Making the same checks as then.'
    return { kind: 'finish', thought, summary: task.verdict ?? task.goal, checks, timeoutMs: 20_000 }
  }

  #refuse({ checks }: LastTurn): Turn {
    const failed = checks.find(({ verdict }) => !verdict.pass)
    const reason = `All steps were replayed, but at the end: ${failed?.verdict.summary ?? 'a check failed.'}`
    return { kind: 'give_up', thought: 'It did not come out as it did in the recording.', reason }
  }
}

function aimOf(act: Act): Point | null {
  if (act.type === 'move') return act.to
  if (act.type === 'drag') return act.path[0] ?? null
  if (act.type === 'scroll') return null // anywhere over the same thing will do
  return 'at' in act ? (act.at ?? null) : null
}

/** Where these actions leave the pointer. */
function lastAim(acts: Act[]): Point | null {
  return (
    acts.map((act) => (act.type === 'drag' ? (act.path.at(-1) ?? null) : aimOf(act))).findLast((at) => at !== null) ??
    null
  )
}

function shifted(act: Act, move: Point): Act {
  if (move.x === 0 && move.y === 0) return act
  const by = ({ x, y }: Point) => ({ x: Math.max(0, x + move.x), y: Math.max(0, y + move.y) })
  if (act.type === 'move') return { ...act, to: by(act.to) }
  if (act.type === 'drag') return { ...act, path: act.path.map(by) }
  return 'at' in act && act.at ? { ...act, at: by(act.at) } : act
}

function told(targets: ReplayedStep['targets']): string {
  const moved = targets.find(({ by }) => by !== 'place')
  if (!moved) return ''
  const [x, y] = [moved.at.x - moved.recorded.x, moved.at.y - moved.recorded.y]
  return ` (The target is ${Math.abs(x)} px to the ${x < 0 ? 'left' : 'right'} and ${Math.abs(y)} px ${y < 0 ? 'above' : 'below'} where it was; found by its ${moved.by}.)`
}
