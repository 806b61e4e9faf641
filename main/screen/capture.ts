import { setTimeout as sleep } from 'node:timers/promises'
import type { Region } from '../contract/action.ts'
import type { RawFrame, Sandbox } from '../sandbox/sandbox.ts'
import { joinTouching } from './boxes.ts'
import { diffFrames } from './diff.ts'
import type { NoiseMap } from './noise.ts'

/** The screen is different from the last one a watcher got. */
export type ScreenChange = { frame: RawFrame; boxes: Region[]; share: number; at: number }

export type ChangeStreamOptions = { activeMs?: number; idleMs?: number; noise?: NoiseMap }

/**
 * The one place that looks at a machine's screen again and again, for all who want to know: often while things move or
 * someone acts, seldom while all is still, never while nobody watches.
 */
export class ChangeStream {
  private readonly sandbox: Sandbox
  private readonly activeMs: number
  private readonly idleMs: number
  private readonly noise: NoiseMap | undefined
  private readonly watchers = new Set<Watcher>()
  private latest: RawFrame | null = null
  private running = false
  private actedAt = Number.NEGATIVE_INFINITY
  private wake = new AbortController()

  constructor(sandbox: Sandbox, options: ChangeStreamOptions = {}) {
    this.sandbox = sandbox
    this.activeMs = options.activeMs ?? 60
    this.idleMs = options.idleMs ?? 500
    this.noise = options.noise
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
  async *changes(signal?: AbortSignal): AsyncGenerator<ScreenChange> {
    const watcher = new Watcher()
    const leave = () => watcher.end()
    signal?.addEventListener('abort', leave)
    this.watchers.add(watcher)
    if (this.latest) watcher.push(wholeScreen(this.latest))
    this.run()
    try {
      while (!signal?.aborted) {
        const change = await watcher.next()
        if (change === null) return
        yield change
      }
    } finally {
      signal?.removeEventListener('abort', leave)
      this.watchers.delete(watcher)
      if (this.watchers.size === 0) this.wake.abort()
    }
  }

  private run(): void {
    if (this.running) return
    this.running = true
    void this.loop().finally(() => {
      this.running = false
      if (this.watchers.size === 0) this.latest = null
    })
  }

  private async loop(): Promise<void> {
    let pauseMs = this.activeMs
    while (this.watchers.size > 0) {
      let frame: RawFrame
      try {
        frame = await this.sandbox.capture()
      } catch {
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
      const active = now - this.actedAt < 1000
      if (before && change && change.boxes.length > 0 && !active) this.noise?.noteIdle(before, frame, now)
      if (change === null || change.boxes.length > 0) {
        this.latest = frame
        const news = change ? { frame, ...change, at: Date.now() } : wholeScreen(frame)
        for (const watcher of this.watchers) watcher.push(news)
        pauseMs = this.activeMs
      } else pauseMs = active ? this.activeMs : Math.min(this.idleMs, pauseMs * 1.5)
      await this.rest(pauseMs)
    }
  }

  private async rest(ms: number): Promise<void> {
    if (this.wake.signal.aborted) this.wake = new AbortController()
    await sleep(ms, undefined, { signal: this.wake.signal }).catch(() => {})
  }
}

function wholeScreen(frame: RawFrame): ScreenChange {
  return { frame, boxes: [{ x: 0, y: 0, width: frame.width, height: frame.height }], share: 1, at: Date.now() }
}

/** Holds one change for a reader; newer ones are merged into it. */
class Watcher {
  private waiting: ScreenChange | null = null
  private ended = false
  private tell: (() => void) | null = null

  push(change: ScreenChange): void {
    this.waiting = this.waiting
      ? {
          ...change,
          boxes: joinTouching([...this.waiting.boxes, ...change.boxes]),
          share: Math.min(1, this.waiting.share + change.share),
        }
      : change
    this.tell?.()
  }

  end(): void {
    this.ended = true
    this.tell?.()
  }

  async next(): Promise<ScreenChange | null> {
    while (this.waiting === null && !this.ended)
      await new Promise<void>((resolve) => {
        this.tell = resolve
      })
    const change = this.waiting
    this.waiting = null
    return this.ended ? null : change
  }
}
