import { checkAssertion } from '../agent/verify/check.ts'
import { captureState, diffStates } from '../agent/verify/state-diff.ts'
import type { Region } from '../contract/action.ts'
import type { Assertion, Verdict } from '../contract/assertion.ts'
import { describeDiff } from '../contract/describe-diff.ts'
import { GodHandError } from '../contract/errors.ts'
import type { KeptFrame, Mark, ScreenNews, TextFound, TextLine } from '../contract/reading.ts'
import type { StateDiff } from '../contract/state-diff.ts'
import type { RawFrame } from '../sandbox/sandbox.ts'
import { changeStreamOf } from '../screen/capture.ts'
import { diffFrames } from '../screen/diff.ts'
import { diffPicture } from '../screen/diff-picture.ts'
import { decodePng, encodePng, hashFrame, zoom } from '../screen/frames.ts'
import { drawMarks, readMarks } from '../screen/marks.ts'
import type { TextQuery } from '../screen/text/match-text.ts'
import { readText } from '../screen/text/read-text.ts'
import { findText, linesWithin } from '../screen/text/screen-text.ts'
import type { FrameStore } from '../trace/frame-store.ts'
import type { Store } from '../trace/store.ts'
import { stateIn } from './compare.ts'
import type { Machines } from './machines.ts'

type EyesOptions = { machines: Machines; frames: FrameStore; store: Store }

/** Seeing, reading and judging on a live machine, for whoever asks from outside: the app, the command line, scripts. */
export class Eyes {
  readonly #options: EyesOptions

  constructor(options: EyesOptions) {
    this.#options = options
  }

  async read(machineId: string, region: Region | undefined): Promise<KeptFrame & { lines: TextLine[] }> {
    const frame = await this.#look(machineId)
    return { ...(await this.#keep(frame)), lines: linesWithin(await readText(frame), region) }
  }

  async find(
    machineId: string,
    query: TextQuery,
    region: Region | undefined,
  ): Promise<KeptFrame & { found: TextFound[] }> {
    const { lines, ...kept } = await this.read(machineId, region)
    return { ...kept, found: findText(lines, query) }
  }

  /** `picture` is the screen with the numbers drawn over it. */
  async marks(machineId: string): Promise<KeptFrame & { picture: string; marks: Mark[] }> {
    const frame = await this.#look(machineId)
    const marks = await readMarks(frame)
    const picture = await this.#keep(await decodePng(await drawMarks(frame, marks)))
    return { ...(await this.#keep(frame)), picture: picture.frame, marks }
  }

  async zoom(machineId: string, region: Region): Promise<KeptFrame> {
    return this.#keep(await decodePng(await zoom(await this.#look(machineId), region)))
  }

  check(machineId: string, assertion: Assertion, timeoutMs: number): Promise<Verdict> {
    return this.#options.machines.use(machineId, (sandbox) =>
      checkAssertion({ sandbox, frame: (hash) => this.#stored(hash), readText }, assertion, { timeoutMs }),
    )
  }

  /** Waits until the screen differs from a frame (else from how it is now), or until time is up. */
  change(machineId: string, since: string | undefined, timeoutMs: number): Promise<ScreenNews> {
    return this.#options.machines.use(machineId, async (sandbox) => {
      const stream = changeStreamOf(sandbox)
      let reference = since === undefined ? null : await this.#known(since)
      let latest: RawFrame | null = null
      for await (const { frame } of stream.changes(AbortSignal.timeout(timeoutMs))) {
        latest = frame
        reference ??= frame
        const { boxes, share } = diffFrames(reference, frame)
        const real = boxes.filter((box) => !stream.noise.isNoise(box, frame))
        if (real.length > 0) return { ...(await this.#keep(frame)), changed: true, boxes: real, share }
      }
      latest ??= await sandbox.capture()
      return { ...(await this.#keep(latest)), changed: false, boxes: [], share: 0 }
    })
  }

  /** What has changed in the machine since a snapshot of it. */
  async since(machineId: string, snapshotId: string): Promise<{ diff: StateDiff; changes: string[] }> {
    const before = await stateIn(this.#options.machines, snapshotId)
    const diff = diffStates(before, await this.#options.machines.use(machineId, captureState))
    return { diff, changes: describeDiff(diff) }
  }

  /** Before | after | what changed, as one picture. */
  async compare(before: string, after: string): Promise<KeptFrame> {
    return this.#keep(await decodePng(await diffPicture(await this.#known(before), await this.#known(after))))
  }

  #look(machineId: string): Promise<RawFrame> {
    return this.#options.machines.use(machineId, (sandbox) => sandbox.capture())
  }

  async #keep(frame: RawFrame): Promise<KeptFrame> {
    const hash = await hashFrame(frame)
    const png = await encodePng(frame)
    const { width, height } = frame
    await this.#options.frames.put(hash, png)
    this.#options.store.frames.insert({ hash, width, height, bytes: png.length, createdAt: new Date().toISOString() })
    return { frame: hash, width, height }
  }

  async #stored(hash: string): Promise<RawFrame | null> {
    const png = await this.#options.frames.get(hash)
    return png && decodePng(png)
  }

  async #known(hash: string): Promise<RawFrame> {
    const frame = await this.#stored(hash)
    if (!frame) throw new GodHandError('not_found', `There is no stored frame ${hash}.`)
    return frame
  }
}
