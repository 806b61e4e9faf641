import type { Region } from '../contract/action.ts'
import { GodHandError } from '../contract/errors.ts'
import type { Settle } from '../contract/task.ts'
import type { RawFrame, Sandbox } from '../sandbox/sandbox.ts'
import { changeStreamOf } from './capture.ts'
import { diffFrames } from './diff.ts'
import type { NoiseMap } from './noise.ts'

export type SettleOptions = {
  /** However restless the screen is, not longer than this. */
  boundMs?: number
  /** When nothing has changed until then, nothing will. */
  nothingMs?: number
  /** How long it must stand still to be at rest, after a small change; after a large one, twice that. */
  quietMs?: number
  /** Left out: what this machine's change stream has learned. */
  noise?: NoiseMap
  signal?: AbortSignal
}

const defaults = { boundMs: 5000, nothingMs: 350, quietMs: 100 }
/** A share of the screen above which more is likely to follow: a window, a page. */
const large = 0.02

/**
 * After an action: waits until the screen has changed and come to rest, or until it is clear that nothing changes, or
 * until the bound. `before` was captured before the action.
 */
export async function settle(
  sandbox: Sandbox,
  before: RawFrame,
  options: SettleOptions = {},
): Promise<Settle & { frame: RawFrame }> {
  const { boundMs, nothingMs, quietMs } = { ...defaults, ...definedOf(options) }
  const stream = changeStreamOf(sandbox)
  const noise = options.noise ?? stream.noise
  const started = performance.now()
  noise.beginAction(before, started)
  let previous = before
  let changedAt: number | null = null
  let quiet = quietMs
  stream.poke()
  for await (const frame of stream.looks(options.signal)) {
    const now = performance.now()
    const step = diffFrames(previous, frame)
    for (const box of step.boxes) noise.noteActing(box, previous, frame, now)
    const real = step.boxes.filter((box) => !noise.isNoise(box, frame, now))
    if (real.some((box) => !isCaret(box) || real.length > 1)) {
      changedAt = now
      if (step.share > large) quiet = quietMs * 2
    }
    previous = frame
    const elapsed = now - started
    const atRest = changedAt === null ? elapsed >= nothingMs : now - changedAt >= quiet
    if (!atRest && elapsed < boundMs) continue
    const boxes = diffFrames(before, frame).boxes.filter((box) => !noise.isNoise(box, frame, now))
    noise.endAction(frame)
    return { changed: boxes.length > 0, settled: atRest, tookMs: Math.round(elapsed), boxes, frame }
  }
  throw new GodHandError('cancelled', 'Waiting for the screen was stopped.')
}

/** One thin upright bar that comes or goes: it may be the action's effect, but nothing is waiting to follow it. */
function isCaret(box: Region): boolean {
  return box.width <= 3 && box.height >= 8 && box.height <= 48
}

function definedOf(options: SettleOptions): Partial<typeof defaults> {
  const { boundMs, nothingMs, quietMs } = options
  return {
    ...(boundMs === undefined ? {} : { boundMs }),
    ...(nothingMs === undefined ? {} : { nothingMs }),
    ...(quietMs === undefined ? {} : { quietMs }),
  }
}
