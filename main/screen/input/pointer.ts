import type { Button, Point } from '../../contract/action.ts'
import type { InputEvent, Sandbox } from '../../sandbox/sandbox.ts'
import { holding, moveTo, moving, onScreen, pace, pause, press, release } from './hands.ts'

/**
 * The way there is part of the click. Several clicks happen at once: with pauses between them a slow guest would count
 * them one by one.
 */
export async function click(sandbox: Sandbox, at: Point | undefined, button: Button, count: number): Promise<void> {
  const once = [true, false].map((down): InputEvent => ({ kind: 'button', button, down }))
  const [first, ...rest] = Array.from({ length: count }, () => once).flat()
  const going = at === undefined ? [] : moving(sandbox, at)
  if (first === undefined) return
  if (count > 1) return sandbox.input([...going, first, ...rest])
  try {
    await sandbox.input([...going, first])
    await pause(pace.clickHoldMs)
  } finally {
    await release(sandbox, button)
  }
}

/** Along the path with points in between, as a hand would: many programs start a drag only after some motion. */
export async function drag(sandbox: Sandbox, path: Point[], button: Button, signal?: AbortSignal): Promise<void> {
  const corners = path.map((point) => onScreen(sandbox, point))
  const [start, ...rest] = corners
  if (start === undefined) return
  await moveTo(sandbox, start)
  try {
    await press(sandbox, button)
    await pause(pace.clickHoldMs, signal)
    let from = start
    for (const corner of rest) {
      for (const point of between(from, corner)) {
        await moveTo(sandbox, point)
        await pause(pace.dragStepMs, signal)
      }
      from = corner
    }
    await pause(pace.clickHoldMs, signal)
  } finally {
    await release(sandbox, button)
  }
}

/** The points on the way, the last one included. */
export function between(from: Point, to: Point): Point[] {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const steps = Math.min(60, Math.max(2, Math.ceil(length / pace.dragStepPx)))
  return Array.from({ length: steps }, (_, index) => {
    const share = (index + 1) / steps
    return { x: Math.round(from.x + (to.x - from.x) * share), y: Math.round(from.y + (to.y - from.y) * share) }
  })
}

export async function scroll(sandbox: Sandbox, dx: number, dy: number, signal?: AbortSignal): Promise<void> {
  await turnWheel(sandbox, dy > 0 ? 'down' : 'up', Math.abs(dy), signal)
  if (dx !== 0) await scrollSideways(sandbox, dx, signal)
}

/**
 * QEMU's tablet has one wheel, and it turns up and down only. The guest's own X server can be told of a sideways turn;
 * where it cannot, shift with the wheel means the same to most programs.
 */
async function scrollSideways(sandbox: Sandbox, dx: number, signal?: AbortSignal): Promise<void> {
  const button = dx > 0 ? '7' : '6'
  const argv = ['env', 'DISPLAY=:0', 'xdotool', 'click', '--delay', '10', '--repeat', String(Math.abs(dx)), button]
  await sandbox.inputDone?.()
  const told = await sandbox.execFile(argv, { timeoutMs: 10_000 }).catch(() => undefined)
  if (told?.exitCode === 0) return
  await holding(sandbox, ['shift'], () => turnWheel(sandbox, dx > 0 ? 'down' : 'up', Math.abs(dx), signal))
}

async function turnWheel(
  sandbox: Sandbox,
  direction: 'up' | 'down',
  notches: number,
  signal?: AbortSignal,
): Promise<void> {
  for (let n = 0; n < notches; n++) {
    if (n > 0) await pause(pace.wheelMs, signal)
    await sandbox.input([{ kind: 'wheel', direction }])
  }
}
