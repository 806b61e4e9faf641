import { setTimeout as sleep } from 'node:timers/promises'
import type { Region } from '../contract/action.ts'
import type { RawFrame, Sandbox } from '../sandbox/sandbox.ts'
import { diffFrames } from './diff.ts'
import { NoiseMap } from './noise.ts'
import { latestLook, mergedChanges, Watcher } from './watcher.ts'

/** The screen is different from the last one a watcher got. */
export type ScreenChange = { frame: RawFrame; boxes: Region[]; share: number; at: number }
export type ChangeStreamOptions = { activeMs?: number; idleMs?: number }

/** Right after an action looks come fast, then ever slower, down to the pace of a busy screen. */
const fastestMs = 15
const slowingBy = 0.1

/**
 * The one place that looks at a machine's screen again and again, for all who want to know: often while things move or
 * someone acts, seldom while all is still, never while nobody watches. It also learns what moves by itself.
 */
export class ChangeStream {
  readonly noise = new NoiseMap()
  private readonly sandbox: Sandbox
  private readonly activeMs: number
  private readonly idleMs: number
  private readonly watchers = new Set<Watcher<ScreenChange>>()
  private readonly lookers = new Set<Watcher<RawFrame>>()
  private latest: RawFrame | null = null
  private running = false
  private actedAt = Number.NEGATIVE_INFINITY
  private wake = new AbortController()

  constructor(sandbox: Sandbox, options: ChangeStreamOptions = {}) {
    this.sandbox = sandbox
    this.activeMs = options.activeMs ?? 60
    this.idleMs = options.idleMs ?? 500
  }

  /** Someone acts: look often for a while. */
  poke(): void {
    this.actedAt = performance.now()
    this.wake.abort()
  }

  /**
   * The screen now, and then each time it has changed. A slow watcher misses states in between, never the last one.
   * Ends when the machine does, or with the signal.
   */
  changes(signal?: AbortSignal): AsyncGenerator<ScreenChange> {
    const watcher = new Watcher(mergedChanges)
    if (this.latest) watcher.push(wholeScreen(this.latest))
    return this.watch(this.watchers, watcher, signal)
  }

  /** Every look, also those that found nothing new, in quick succession. Throws what keeps the screen from being seen. */
  looks(signal?: AbortSignal): AsyncGenerator<RawFrame> {
    return this.watch(this.lookers, new Watcher(latestLook), signal)
  }

  private async *watch<T>(set: Set<Watcher<T>>, watcher: Watcher<T>, signal?: AbortSignal): AsyncGenerator<T> {
    const leave = () => watcher.end()
    signal?.addEventListener('abort', leave)
    set.add(watcher)
    this.wake.abort()
    this.run()
    try {
      while (!signal?.aborted) {
        const news = await watcher.next()
        if (news === null) return
        yield news
      }
    } finally {
      signal?.removeEventListener('abort', leave)
      set.delete(watcher)
      if (!this.isWatched()) this.wake.abort()
    }
  }

  private isWatched(): boolean {
    return this.watchers.size + this.lookers.size > 0
  }

  private run(): void {
    if (this.running) return
    this.running = true
    void this.loop().finally(() => {
      this.running = false
      if (this.isWatched() && this.sandbox.state.kind !== 'dead') this.run()
      else this.latest = null
    })
  }

  private async loop(): Promise<void> {
    let pauseMs = this.activeMs
    while (this.isWatched()) {
      let frame: RawFrame
      try {
        frame = await this.sandbox.capture()
      } catch (error) {
        for (const looker of this.lookers) looker.fail(error)
        // A machine that stands still has no new screens; one that is gone will never have.
        if (this.sandbox.state.kind === 'dead') {
          for (const watcher of this.watchers) watcher.end()
          return
        }
        await this.rest(this.idleMs)
        continue
      }
      const now = performance.now()
      const before = this.latest
      const change = before ? diffFrames(before, frame) : null
      const active = this.lookers.size > 0 || now - this.actedAt < 1000
      if (before && change && change.boxes.length > 0 && !active) this.noise.noteIdle(before, frame, now)
      for (const looker of this.lookers) looker.push(frame)
      if (change === null || change.boxes.length > 0) {
        this.latest = frame
        const news = change ? { frame, ...change, at: Date.now() } : wholeScreen(frame)
        for (const watcher of this.watchers) watcher.push(news)
        pauseMs = this.activeMs
      } else pauseMs = active ? this.activeMs : Math.min(this.idleMs, pauseMs * 1.5)
      await this.rest(this.lookers.size > 0 ? this.hurried(now) : pauseMs)
    }
  }

  private hurried(now: number): number {
    return Math.min(this.activeMs, fastestMs + (now - this.actedAt) * slowingBy)
  }

  private async rest(ms: number): Promise<void> {
    if (this.wake.signal.aborted) this.wake = new AbortController()
    await sleep(ms, undefined, { signal: this.wake.signal }).catch(() => {})
  }
}

const streams = new WeakMap<Sandbox, ChangeStream>()

/** The machine's own: whoever asks gets the same one. */
export function changeStreamOf(sandbox: Sandbox): ChangeStream {
  const known = streams.get(sandbox)
  if (known) return known
  const stream = new ChangeStream(sandbox)
  streams.set(sandbox, stream)
  return stream
}

function wholeScreen(frame: RawFrame): ScreenChange {
  return { frame, boxes: [{ x: 0, y: 0, width: frame.width, height: frame.height }], share: 1, at: Date.now() }
}
