import { setTimeout as sleep } from 'node:timers/promises'
import type { Button, Point } from '../../contract/action.ts'
import { GodHandError } from '../../contract/errors.ts'
import type { InputEvent, Sandbox } from '../../sandbox/sandbox.ts'

/**
 * How fast hands move. A virtio keyboard holds 64 entries (a key going down is two of them) and drops what does not fit, so
 * events go in small batches. That one event is dealt with before the next is the machine's to see to.
 */
export const pace = {
  keyEventsPerBatch: 8,
  betweenBatchesMs: 6,
  slowestBatchMs: 100,
  clickHoldMs: 30,
  dragStepPx: 24,
  dragStepMs: 8,
  wheelMs: 8,
} as const

const pointers = new WeakMap<Sandbox, Point>()

/** Where our own last event left the pointer; unknown until the first one. */
export function lastPointer(sandbox: Sandbox): Point | undefined {
  return pointers.get(sandbox)
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return sleep(ms, undefined, signal ? { signal } : {}).catch((cause) => {
    throw new GodHandError('cancelled', 'The action was stopped.', { cause })
  })
}

/** A whole pixel that is on the screen, or a bad_request that says what was asked. */
export function onScreen(sandbox: Sandbox, point: Point): Point {
  const { width, height } = sandbox.screen
  const to = { x: Math.round(point.x), y: Math.round(point.y) }
  if (!(to.x >= 0 && to.y >= 0 && to.x <= width && to.y <= height))
    throw new GodHandError('bad_request', `${point.x}, ${point.y} is not on the screen of ${width}×${height}.`, {
      hint: 'Coordinates are pixels of the native screen, from the top left corner.',
    })
  // The edge itself (x = width) is what a model says for the last pixel.
  return { x: Math.min(to.x, width - 1), y: Math.min(to.y, height - 1) }
}

export function moveTo(sandbox: Sandbox, to: Point): Promise<void> {
  return sandbox.input(moving(sandbox, to))
}

/** The event that brings the pointer there, for who sends it. */
export function moving(sandbox: Sandbox, to: Point): InputEvent[] {
  pointers.set(sandbox, to)
  return [{ kind: 'move', to }]
}

export function press(sandbox: Sandbox, button: Button): Promise<void> {
  return sandbox.input([{ kind: 'button', button, down: true }])
}

export function release(sandbox: Sandbox, button: Button): Promise<void> {
  return sandbox.input([{ kind: 'button', button, down: false }])
}

export function down(codes: string[]): InputEvent[] {
  return codes.map((code) => ({ kind: 'key', code, down: true }))
}

export function up(codes: string[]): InputEvent[] {
  return codes.toReversed().map((code) => ({ kind: 'key', code, down: false }))
}

/** Runs `work` with keys held, and lets go of them whatever happens. */
export async function holding<T>(sandbox: Sandbox, codes: string[], work: () => Promise<T>): Promise<T> {
  if (codes.length === 0) return work()
  try {
    await sandbox.input(down(codes))
    return await work()
  } finally {
    await sandbox.input(up(codes))
  }
}
