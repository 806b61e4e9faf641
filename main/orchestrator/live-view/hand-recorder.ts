import { FrameKeeper } from '../../agent/frame-keeper.ts'
import type { Secrets } from '../../agent/secrets.ts'
import type { Action } from '../../contract/action.ts'
import type { Settle, Step } from '../../contract/task.ts'
import type { RawFrame, Sandbox } from '../../sandbox/sandbox.ts'
import { diffFrames } from '../../screen/diff.ts'
import { settle } from '../../screen/settle.ts'
import type { FrameStore } from '../../trace/frame-store.ts'
import type { FrameRecord } from '../../trace/frames.ts'
import { type StepByHand, stepByHand } from '../by-hand.ts'
import { boundedLook } from './bounded-look.ts'
import { Gestures } from './gestures.ts'
import type { Hand } from './rfb-messages.ts'

export type RecorderOptions = {
  sandbox: () => Sandbox
  frames: FrameStore
  head: () => string | null
  secrets: () => Secrets
  /** In order, one after the other. */
  onStep: (step: StepByHand, frames: FrameRecord[]) => void
  onTrouble: (thrown: unknown) => void
}

/** Done, and waiting for the screen to show what came of it. */
type Done = { acts: Action[]; before: RawFrame; startedAt: Date; rest: AbortController }

/** A screen that does not answer must not hold the hand back for long. */
const LOOK_MS = 500
/** Nobody waits for it, so a slow program gets its time: the next thing the person does ends it. */
const NOTHING_MS = 2500
/** Somebody in the middle of typing a secret gets time to end it, so that it is known as one. */
const SECRET_MS = 20_000

/** Turns what hands do in a live view into steps: what was done, with the screen before and after it. */
export class HandRecorder {
  readonly #options: RecorderOptions
  readonly #gestures = new Gestures()
  #screen: RawFrame | null = null // as it was last seen
  #startedAt = new Date()
  #done: Done | null = null
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()
  #begun = '' // the part of a secret that the last step ended with
  #closed = false

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  /** To be awaited before the machine feels it: the screen before it is still to be seen. */
  async sees(hand: Hand): Promise<void> {
    if (this.#closed) return
    const begins = this.#gestures.begins(hand, Date.now())
    if (begins || this.#screen === null) await this.#look(begins)
    for (const acts of this.#gestures.take(hand, Date.now())) this.#finished(acts)
    this.#schedule()
  }

  /** When all that was done so far is in the trace. */
  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    for (const acts of this.#gestures.interrupt()) this.#finished(acts)
    await this.#settling
    await this.#writing
  }

  /** Nothing is recorded any more, but for what was done already. */
  drop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    for (const acts of this.#gestures.interrupt()) this.#finished(acts, this.#screen)
    if (this.#done) this.#record(this.#done, this.#screen)
    this.#closed = true
  }

  #settling: Promise<void> = Promise.resolve()

  /** A new thing begins: what is on the screen now is what came of the one before. */
  async #look(begins: boolean): Promise<void> {
    const { sandbox, onTrouble } = this.#options
    const frame = await boundedLook(LOOK_MS, () => sandbox().capture(), onTrouble)
    if (begins) {
      for (const acts of this.#gestures.interrupt()) this.#finished(acts, frame)
      if (this.#done) this.#record(this.#done, frame)
      this.#startedAt = new Date()
    }
    this.#screen = frame ?? this.#screen
  }

  #finished(acts: Action[], after: RawFrame | null = null): void {
    const before = this.#screen
    if (!before) return
    if (this.#done) this.#record(this.#done, after ?? before)
    const done: Done = { acts, before, startedAt: this.#startedAt, rest: new AbortController() }
    this.#startedAt = new Date()
    if (after) {
      this.#record(done, after)
      return
    }
    this.#done = done
    this.#settling = this.#settle(done)
  }

  async #settle(done: Done): Promise<void> {
    try {
      const { frame, ...rest } = await settle(this.#options.sandbox(), done.before, {
        nothingMs: NOTHING_MS,
        signal: done.rest.signal,
      })
      if (this.#done !== done) return
      this.#screen = frame
      this.#record(done, frame, rest)
    } catch (thrown) {
      if (this.#done !== done) return // the next thing began: the frame before that one is its end
      this.#options.onTrouble(thrown)
      this.#record(done, done.before)
    }
  }

  #record(done: Done, after: RawFrame | null, known?: Settle): void {
    if (this.#done === done) this.#done = null
    done.rest.abort()
    const { acts, before, startedAt } = done
    const end = after ?? before
    const { boxes } = known ?? diffFrames(before, end)
    const tookMs = Date.now() - startedAt.getTime()
    const rest = known ?? { changed: boxes.length > 0, settled: false, tookMs, boxes }
    // A pointer that came to rest and changed nothing is not worth a step.
    if (!rest.changed && acts.every(({ type }) => type === 'move')) return
    const head = this.#options.head()
    this.#writing = this.#writing.then(() => this.#write({ acts, before, after: end, rest, startedAt, head }))
  }

  async #write({ acts, before, after, rest, startedAt, head }: Written): Promise<void> {
    try {
      const frames = new FrameKeeper(this.#options.frames)
      const step = stepByHand({
        actions: acts.map((act) => ({ act: this.#withoutSecrets(act), result: { ok: true } })),
        before: await frames.keep(before),
        after: await frames.keep(after),
        settle: rest,
        snapshotBefore: head,
        startedAt: startedAt.toISOString(),
        actMs: Math.max(0, Date.now() - startedAt.getTime() - rest.tookMs),
      })
      this.#options.onStep(step, frames.takeFresh())
    } catch (thrown) {
      this.#options.onTrouble(thrown)
    }
  }

  /** Also one that was typed in two steps, with something else done between them. */
  #withoutSecrets(act: Action): Action {
    if (act.type !== 'type') return act
    const secrets = this.#options.secrets()
    const joined = secrets.redact(this.#begun + act.text)
    const isRest = joined !== this.#begun + secrets.redact(act.text)
    const text = isRest ? joined : secrets.redact(act.text)
    const begun = secrets.begunIn(text)
    this.#begun = begun?.part ?? ''
    return { ...act, text: begun ? `${text.slice(0, -begun.part.length)}[a part of {{${begun.name}}}]` : text }
  }

  /** What nothing follows on is over after a while. */
  #schedule(): void {
    if (this.#timer) clearTimeout(this.#timer)
    const { due } = this.#gestures
    if (due === null || this.#closed) return
    const isSecret = this.#options.secrets().begunIn(this.#gestures.typed) !== null
    const wait = isSecret ? SECRET_MS : Math.max(0, due - Date.now())
    this.#timer = setTimeout(() => {
      for (const acts of this.#gestures.finish()) this.#finished(acts)
    }, wait)
    this.#timer.unref()
  }
}

type Written = {
  acts: Action[]
  before: RawFrame
  after: RawFrame
  rest: NonNullable<Step['settle']>
  startedAt: Date
  head: string | null
}
