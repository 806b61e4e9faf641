import type { RawFrame } from '../sandbox/sandbox.ts'
import { encodePng, hashFrame } from '../screen/frames.ts'
import type { FrameStore } from '../trace/frame-store.ts'
import type { FrameRecord } from '../trace/frames.ts'

/** Keeps frames by content, and remembers which ones the step at hand must record. */
export class FrameKeeper {
  readonly #store: FrameStore
  readonly #known = new Set<string>()
  #fresh: FrameRecord[] = []

  constructor(store: FrameStore) {
    this.#store = store
  }

  async keep(frame: RawFrame): Promise<string> {
    const hash = await hashFrame(frame)
    if (this.#known.has(hash)) return hash
    const png = await encodePng(frame)
    await this.#store.put(hash, png)
    this.#known.add(hash)
    this.#fresh.push({
      hash,
      width: frame.width,
      height: frame.height,
      bytes: png.length,
      createdAt: new Date().toISOString(),
    })
    return hash
  }

  /** Frames kept since the last call. */
  takeFresh(): FrameRecord[] {
    return this.#fresh.splice(0)
  }
}
