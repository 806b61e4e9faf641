import { z } from 'zod'
import { Point, Region } from './geometry.ts'
import { TreeAct } from './tree-act.ts'

export { Point, Region } from './geometry.ts'

/** What hands can do, in pixels of the native screen. Provider-neutral: each planner maps its own vocabulary onto this. */

export const Button = z.enum(['left', 'right', 'middle', 'back', 'forward'])
export type Button = z.infer<typeof Button>

/** Keys held during a mouse action, by name: ctrl, shift, alt, super. */
const Modifiers = z.array(z.string().min(1).max(20)).max(4).optional()

export const Action = z.discriminatedUnion('type', [
  z.object({ type: z.literal('screenshot') }),
  z.object({ type: z.literal('zoom'), region: Region }),
  z.object({ type: z.literal('move'), to: Point }),
  z.object({
    type: z.literal('click'),
    at: Point.optional(), // where the pointer is, when left out
    button: Button.default('left'),
    count: z.number().int().min(1).max(3).default(1),
    modifiers: Modifiers,
  }),
  z.object({
    type: z.literal('drag'),
    path: z.array(Point).min(2).max(500),
    button: Button.default('left'),
    modifiers: Modifiers,
  }),
  z.object({ type: z.literal('mouse_down'), at: Point.optional(), button: Button.default('left') }),
  z.object({ type: z.literal('mouse_up'), at: Point.optional(), button: Button.default('left') }),
  z.object({
    type: z.literal('scroll'),
    at: Point.optional(),
    dx: z.number().int().min(-100).max(100).default(0), // wheel notches, positive to the right
    dy: z.number().int().min(-100).max(100).default(0), // wheel notches, positive downwards
    modifiers: Modifiers,
  }),
  z.object({ type: z.literal('type'), text: z.string().max(100_000) }),
  z.object({
    type: z.literal('key'),
    chord: z.string().min(1).max(100),
    repeat: z.number().int().min(1).max(100).default(1),
  }),
  z.object({ type: z.literal('hold'), chord: z.string().min(1).max(100), seconds: z.number().min(0).max(300) }),
  z.object({ type: z.literal('wait'), seconds: z.number().min(0).max(300) }),
  z.object({ type: z.literal('cursor') }),
])
export type Action = z.infer<typeof Action>
/** As a person or script writes it: defaults may be left out. */
export type ActionInput = z.input<typeof Action>

/** What reaches past the screen: commands and files in the guest, and words to the person. */
export const ToolCall = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('exec'),
    command: z.string().max(100_000),
    timeoutSeconds: z.number().min(0.1).max(3600).default(60),
  }),
  z.object({ type: z.literal('read_file'), path: z.string().min(1).max(4096) }),
  z.object({ type: z.literal('write_file'), path: z.string().min(1).max(4096), text: z.string().max(10_000_000) }),
])
export type ToolCall = z.infer<typeof ToolCall>

/** One thing the agent does: by hand, by tool, or to its machine as a whole. */
export const Act = z.discriminatedUnion('type', [...Action.options, ...ToolCall.options, ...TreeAct.options])
export type Act = z.infer<typeof Act>
export type ActInput = z.input<typeof Act>

/** In a few words, for lists and logs. Typed text is shown as it was given, so secrets must already be names here. */
export function describeAct(act: Act): string {
  const at = (point?: Point) => (point ? ` at ${Math.round(point.x)}, ${Math.round(point.y)}` : '')
  switch (act.type) {
    case 'screenshot':
      return 'Look at the screen'
    case 'zoom':
      return `Look closely at ${act.region.width}×${act.region.height}${at(act.region)}`
    case 'move':
      return `Move the pointer to ${act.to.x}, ${act.to.y}`
    case 'click':
      return `${['Click', 'Double-click', 'Triple-click'][act.count - 1]}${act.button === 'left' ? '' : ` (${act.button})`}${at(act.at)}`
    case 'drag':
      return `Drag${at(act.path[0])} →${at(act.path.at(-1)).replace(' at', '')}`
    case 'mouse_down':
      return `Press the ${act.button} button${at(act.at)}`
    case 'mouse_up':
      return `Release the ${act.button} button${at(act.at)}`
    case 'scroll':
      return `Scroll ${act.dy ? `${Math.abs(act.dy)} ${act.dy > 0 ? 'down' : 'up'}` : `${Math.abs(act.dx)} ${act.dx > 0 ? 'right' : 'left'}`}${at(act.at)}`
    case 'type':
      return `Type “${shorten(act.text)}”`
    case 'key':
      return `Press ${act.chord}${act.repeat > 1 ? ` ×${act.repeat}` : ''}`
    case 'hold':
      return `Hold ${act.chord} for ${act.seconds} s`
    case 'wait':
      return `Wait ${act.seconds} s`
    case 'cursor':
      return 'Ask where the pointer is'
    case 'exec':
      return `Run ${shorten(act.command)}`
    case 'read_file':
      return `Read ${act.path}`
    case 'write_file':
      return `Write ${act.path}`
    case 'checkpoint':
      return `Keep the machine as “${shorten(act.label)}”`
    case 'rollback':
      return `Go back to ${shorten(act.to)}`
    case 'branch':
      return `Try ${act.options.length} ways: ${act.options.map(({ plan }) => shorten(plan)).join(' | ')}`
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
