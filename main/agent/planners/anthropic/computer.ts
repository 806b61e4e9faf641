import { z } from 'zod'
import type { Act, Point } from '../../../contract/action.ts'
import type { View } from '../../../screen/view.ts'
import type { Meaning } from '../conversation/call.ts'
import { nativeRegion, wrongInput } from '../conversation/own-tools.ts'

/** The members of Anthropic's computer tools, old and new, and what they mean in native pixels. */

const coordinate = z.tuple([z.number(), z.number()])
const place = z.object({ coordinate: coordinate.nullish(), text: z.string().nullish() })
const duration = z.object({ duration: z.number().min(0).max(300) })

const inputs = {
  screenshot: z.object({}),
  zoom: z.object({ region: z.tuple([z.number(), z.number(), z.number(), z.number()]) }),
  left_click: place,
  right_click: place,
  middle_click: place,
  double_click: place,
  triple_click: place,
  left_click_drag: z.object({ start_coordinate: coordinate.nullish(), coordinate, text: z.string().nullish() }),
  mouse_move: z.object({ coordinate }),
  left_mouse_down: z.object({}),
  left_mouse_up: z.object({}),
  cursor_position: z.object({}),
  scroll: place.extend({
    scroll_direction: z.enum(['up', 'down', 'left', 'right']),
    scroll_amount: z.number().int().min(0).max(100),
  }),
  type: z.object({ text: z.string().max(100_000) }),
  key: z.object({ text: z.string().min(1).max(100), repeat: z.number().int().min(1).max(100).nullish() }),
  hold_key: duration.extend({ text: z.string().min(1).max(100) }),
  wait: duration,
}
type Member = keyof typeof inputs

const clicks = {
  left_click: ['left', 1],
  right_click: ['right', 1],
  middle_click: ['middle', 1],
  double_click: ['left', 2],
  triple_click: ['left', 3],
} as const

export function isMember(name: string): name is Member {
  return name in inputs
}

/** What is not on the screen, and not right otherwise, comes back as `wrong`, in the model's own pixels. */
export function readComputerCall(name: Member, input: unknown, view: View): Meaning {
  const problem = offScreen(input, view)
  if (problem) return { kind: 'wrong', problem }
  const at = (given: readonly [number, number] | null | undefined): { at?: Point } =>
    given ? { at: view.toNative({ x: given[0], y: given[1] }) } : {}
  const act = (done: Act): Meaning => ({ kind: 'act', act: done })

  switch (name) {
    case 'screenshot':
      return { kind: 'act', act: { type: 'screenshot' }, shows: 'screen' }
    case 'zoom':
      return parsed(name, inputs.zoom, input, ({ region: [x0, y0, x1, y1] }) => {
        if (x1 - x0 < 1 || y1 - y0 < 1)
          return { kind: 'wrong', problem: 'The region of zoom is (x0, y0, x1, y1), with x1 > x0 and y1 > y0.' }
        const region = nativeRegion({ x: x0, y: y0, width: x1 - x0, height: y1 - y0 }, view.toNative)
        return { kind: 'act', act: { type: 'zoom', region }, shows: region }
      })
    case 'left_click':
    case 'right_click':
    case 'middle_click':
    case 'double_click':
    case 'triple_click':
      return parsed(name, inputs[name], input, ({ coordinate: point, text }) => {
        const [button, count] = clicks[name]
        return act({ type: 'click', ...at(point), button, count, ...held(text) })
      })
    case 'left_click_drag':
      return parsed(name, inputs[name], input, ({ start_coordinate: from, coordinate: to, text }) => {
        if (!from) return { kind: 'wrong', problem: 'left_click_drag needs a start_coordinate.' }
        const path = [from, to].map(([x, y]) => view.toNative({ x, y }))
        return act({ type: 'drag', path, button: 'left', ...held(text) })
      })
    case 'mouse_move':
      return parsed(name, inputs[name], input, ({ coordinate: [x, y] }) =>
        act({ type: 'move', to: view.toNative({ x, y }) }),
      )
    case 'left_mouse_down':
      return act({ type: 'mouse_down', button: 'left' })
    case 'left_mouse_up':
      return act({ type: 'mouse_up', button: 'left' })
    case 'cursor_position':
      return act({ type: 'cursor' })
    case 'scroll':
      return parsed(name, inputs[name], input, ({ coordinate: point, text, scroll_direction, scroll_amount }) => {
        const amount = scroll_direction === 'up' || scroll_direction === 'left' ? -scroll_amount : scroll_amount
        const sideways = scroll_direction === 'left' || scroll_direction === 'right'
        return act({
          type: 'scroll',
          ...at(point),
          dx: sideways ? amount : 0,
          dy: sideways ? 0 : amount,
          ...held(text),
        })
      })
    case 'type':
      return parsed(name, inputs[name], input, ({ text }) => act({ type: 'type', text }))
    case 'key':
      return parsed(name, inputs[name], input, ({ text, repeat }) =>
        act({ type: 'key', chord: text, repeat: repeat ?? 1 }),
      )
    case 'hold_key':
      return parsed(name, inputs[name], input, (given) =>
        act({ type: 'hold', chord: given.text, seconds: given.duration }),
      )
    case 'wait':
      return parsed(name, inputs[name], input, (given) => act({ type: 'wait', seconds: given.duration }))
  }
}

/** Modifiers come as one text, "ctrl+shift". */
function held(text: string | null | undefined): { modifiers?: string[] } {
  const modifiers = (text ?? '').split('+').flatMap((name) => name.trim() || [])
  return modifiers.length > 0 ? { modifiers } : {}
}

function parsed<S extends z.ZodType>(
  name: string,
  schema: S,
  input: unknown,
  meaning: (input: z.output<S>) => Meaning,
): Meaning {
  const result = schema.safeParse(input)
  return result.success ? meaning(result.data) : wrongInput(name, result.error)
}

const places = z.object({
  coordinate: coordinate.nullish().catch(null),
  start_coordinate: coordinate.nullish().catch(null),
  region: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullish().catch(null),
})

function offScreen(input: unknown, { width, height }: View): string | null {
  const { coordinate: end, start_coordinate: start, region } = places.catch({}).parse(input)
  const corners = region ? [region.slice(0, 2), [region[2] - 1, region[3] - 1]] : []
  const outside = [...(start ? [start] : []), ...(end ? [end] : []), ...corners].find(
    ([x = 0, y = 0]) => !(x >= 0 && y >= 0 && x < width && y < height),
  )
  return outside
    ? `(${outside.join(', ')}) is not on the screen, which is ${width}×${height} pixels: x from 0 to ${width - 1}, y from 0 to ${height - 1}.`
    : null
}
