import type { RawFrame } from '../sandbox/sandbox.ts'
import { joinTouching } from './boxes.ts'
import type { ScreenChange } from './capture.ts'

/** Holds one piece of news for a reader; newer ones are merged into it. */
export class Watcher<T> {
  private readonly merge: (older: T, newer: T) => T
  private waiting: T | null = null
  private failure: { error: unknown } | null = null
  private ended = false
  private tell: (() => void) | null = null

  constructor(merge: (older: T, newer: T) => T) {
    this.merge = merge
  }

  push(news: T): void {
    this.waiting = this.waiting === null ? news : this.merge(this.waiting, news)
    this.tell?.()
  }

  fail(error: unknown): void {
    this.failure = { error }
    this.tell?.()
  }

  end(): void {
    this.ended = true
    this.tell?.()
  }

  /** Null at the end. */
  async next(): Promise<T | null> {
    while (this.waiting === null && this.failure === null && !this.ended)
      await new Promise<void>((resolve) => {
        this.tell = resolve
      })
    if (this.failure) throw this.failure.error
    const news = this.waiting
    this.waiting = null
    return this.ended ? null : news
  }
}

export function mergedChanges(older: ScreenChange, newer: ScreenChange): ScreenChange {
  return {
    ...newer,
    boxes: joinTouching([...older.boxes, ...newer.boxes]),
    share: Math.min(1, older.share + newer.share),
  }
}

export function latestLook(_older: RawFrame, newer: RawFrame): RawFrame {
  return newer
}
