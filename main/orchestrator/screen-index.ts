import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { decodePng } from '../screen/frames.ts'
import { readText } from '../screen/text/read-text.ts'
import type { FrameStore } from '../trace/frame-store.ts'
import type { Store } from '../trace/store.ts'

type IndexOptions = { store: Store; frames: FrameStore; log: Log; busy: () => boolean; restMs?: number }

/** Reads the screens of finished traces while nothing else is to be done, so that they are found by what stood on them. */
export class ScreenIndex {
  readonly #options: IndexOptions
  readonly #stop = new AbortController()
  readonly #work: Promise<void>

  constructor(options: IndexOptions) {
    this.#options = options
    this.#work = this.#run().catch((err: unknown) => {
      if (!this.#stop.signal.aborted) options.log.warn({ err }, 'screens are no longer read for the search')
    })
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#work
  }

  async #run(): Promise<void> {
    const { store, busy, restMs = 5000 } = this.#options
    const { signal } = this.#stop
    while (!signal.aborted) {
      const [next] = busy() ? [] : store.library.unread(1)
      if (next) store.library.setScreenText(next.taskId, next.stepIndex, await this.#textOf(next.frame))
      else await pause(restMs, undefined, { signal, ref: false })
    }
  }

  async #textOf(frame: string | null): Promise<string> {
    const png = frame && (await this.#options.frames.get(frame))
    if (!png) return ''
    const lines = await readText(await decodePng(png))
    return lines.map(({ text }) => text).join('\n')
  }
}
