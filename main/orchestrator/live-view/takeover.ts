import { FrameKeeper } from '../../agent/frame-keeper.ts'
import { captureState, diffStates, type GuestState } from '../../agent/verify/state-diff.ts'
import type { Action } from '../../contract/action.ts'
import { describeDiff } from '../../contract/describe-diff.ts'
import type { Output } from '../../contract/rpc.ts'
import { diffFrames } from '../../screen/diff.ts'
import { doByHand, stepByHand } from '../by-hand.ts'
import { boundedLook } from './bounded-look.ts'
import { HandRecorder, type RecorderOptions } from './hand-recorder.ts'
import type { Hand } from './rfb-messages.ts'

/** A machine that is slow to be looked at must not keep the agent waiting. */
const LOOK_MS = 15_000
const MOST_CHANGES = 20

/** The person drives: everything they do to the machine is recorded, by whatever road it comes. */
export class Takeover {
  readonly #options: RecorderOptions
  readonly #recorder: HandRecorder
  readonly #before: Promise<GuestState | null>
  readonly #startedAt = new Date().toISOString()

  constructor(options: RecorderOptions) {
    this.#options = options
    this.#recorder = new HandRecorder(options)
    this.#before = this.#look()
  }

  /** In the live view. */
  sees(hand: Hand): Promise<void> {
    return this.#recorder.sees(hand)
  }

  /** By command. */
  async act(action: Action, comeToRest: boolean): Promise<Output<'vm.act'>> {
    const { sandbox, frames, head, secrets, onStep } = this.#options
    await this.#recorder.flush() // what was done in the live view came first
    const done = await doByHand(sandbox(), action, frames, head())
    onStep(secrets().redactDeep(done.step), done.frames)
    if (done.error) throw done.error
    return comeToRest && done.step.settle ? { ...done.result, settle: done.step.settle } : done.result
  }

  /** When all that was done so far is in the trace. */
  recorded(): Promise<void> {
    return this.#recorder.flush()
  }

  /** Without a look at what came of it: the machine is about to go. */
  drop(): void {
    this.#recorder.drop()
  }

  /** The end, as a step of its own: what is different in the machine now. Says so in sentences, too. */
  async handBack(): Promise<string[]> {
    await this.#recorder.flush()
    this.#recorder.drop()
    const [before, after] = [await this.#before, await this.#look()]
    if (!before || !after) return []
    const changes = describeDiff({ ...diffStates(before, after), unknown: [] }).slice(0, MOST_CHANGES)
    const { frames: store, head, secrets, onStep } = this.#options
    const frames = new FrameKeeper(store)
    const boxes = before.frame && after.frame ? diffFrames(before.frame, after.frame).boxes : []
    const step = stepByHand({
      thought: ['Handed back.', ...changes].join('\n'),
      actions: [],
      before: before.frame && (await frames.keep(before.frame)),
      after: after.frame && (await frames.keep(after.frame)),
      settle: { changed: boxes.length > 0, settled: true, tookMs: 0, boxes },
      snapshotBefore: head(),
      startedAt: this.#startedAt,
      actMs: 0,
    })
    onStep(secrets().redactDeep(step), frames.takeFresh())
    return secrets().redactDeep(changes)
  }

  #look(): Promise<GuestState | null> {
    const { sandbox, onTrouble } = this.#options
    return boundedLook(LOOK_MS, () => captureState(sandbox()), onTrouble)
  }
}
