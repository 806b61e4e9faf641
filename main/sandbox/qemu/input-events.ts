import type { Button } from '../../contract/action.ts'
import type { InputEvent } from '../sandbox.ts'

const BUTTONS = { left: 'left', right: 'right', middle: 'middle', back: 'side', forward: 'extra' } as const

/** The whole range of QEMU's absolute pointer axes. */
const AXIS_MAX = 32_767

/** Moments that may go out together: a device's queue holds 64 entries. */
const STEP_MOMENTS = 12

export type Device = 'keyboard' | 'tablet'

/** What can be sent to one device without looking back. */
export type Step = {
  device: Device
  moments: InputEvent[][]
  /** What the guest's kernel keeps of them until they are read. */
  entries: number
}

/**
 * Button events that follow each other, and the move before them, are one moment: the guest's display server reads a
 * double click at once, and counts it, however slow the guest is. They end a step, because what follows a click may have
 * to wait for it.
 */
export function inSteps(events: InputEvent[]): Step[] {
  const steps: Step[] = []
  let last: InputEvent | undefined
  for (const event of events) {
    const device = deviceOf(event)
    const clickGoesOn = event.kind === 'button' && (last?.kind === 'button' || last?.kind === 'move')
    let step = steps.at(-1)
    const full = step !== undefined && step.moments.length >= STEP_MOMENTS
    if (step === undefined || step.device !== device || (last?.kind === 'button' && !clickGoesOn) || full) {
      step = { device, moments: [], entries: 0 }
      steps.push(step)
    }
    if (clickGoesOn) step.moments.at(-1)?.push(event)
    else step.moments.push([event])
    step.entries += event.kind === 'key' || event.kind === 'button' ? 2 : 4
    last = event
  }
  return steps
}

function deviceOf(event: InputEvent): Device {
  return event.kind === 'key' ? 'keyboard' : 'tablet'
}

/** A button's bit in the state of an X pointer; 0 for those it has none for. */
export function stateButton(button: Button): number {
  return { left: 0x100, middle: 0x200, right: 0x400, back: 0, forward: 0 }[button]
}

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
