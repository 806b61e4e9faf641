import type { InputEvent } from '../sandbox.ts'

const BUTTONS = { left: 'left', right: 'right', middle: 'middle', back: 'side', forward: 'extra' } as const

/** The whole range of QEMU's absolute pointer axes. */
const AXIS_MAX = 32_767

type QmpInput = { type: string; data: Record<string, unknown> }

/** Our events as QEMU's `input-send-event` takes them. */
export function toQmpInput(event: InputEvent, screen: { width: number; height: number }): QmpInput[] {
  switch (event.kind) {
    case 'key':
      return [{ type: 'key', data: { down: event.down, key: { type: 'qcode', data: event.code } } }]
    case 'button':
      return [{ type: 'btn', data: { down: event.down, button: BUTTONS[event.button] } }]
    case 'move':
      return [
        { type: 'abs', data: { axis: 'x', value: toAxis(event.to.x, screen.width) } },
        { type: 'abs', data: { axis: 'y', value: toAxis(event.to.y, screen.height) } },
      ]
    case 'wheel':
      return [true, false].map((down) => ({ type: 'btn', data: { down, button: `wheel-${event.direction}` } }))
  }
}

/** The middle of the pixel, so that the guest's own rounding lands on it. */
function toAxis(pixel: number, size: number): number {
  const value = Math.round(((Math.round(pixel) + 0.5) * AXIS_MAX) / size)
  return Math.max(0, Math.min(AXIS_MAX, value))
}
