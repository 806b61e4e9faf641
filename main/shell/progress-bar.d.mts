import type { Progress } from '../contract/progress.ts'

export type ProgressBar = {
  report(progress: Progress): void
  /** Leaves the last step as done. */
  done(): void
  /** Takes the bar away, so that an error can be printed. */
  clear(): void
}

export type BarStream = { isTTY?: boolean | undefined; columns?: number | undefined; write(text: string): unknown }

export function progressBar(stream?: BarStream, now?: () => number): ProgressBar
export function barLine(progress: Progress, elapsedMs: number, columns: number): string
export function duration(ms: number): string
