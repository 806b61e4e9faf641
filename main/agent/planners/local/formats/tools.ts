import { z } from 'zod'
import { systemPrompt } from '../../conversation/instructions.ts'
import { inputSchemaOf } from '../../conversation/json-schema.ts'
import { guestTools, leadingTools } from '../../conversation/own-tools.ts'
import { firstObject, looseJson } from '../loose-json.ts'
import { type Format, type Reading, splitThinking } from './format.ts'

const x = z.number().describe('pixels from the left edge of the screenshot')
const y = z.number().describe('pixels from the top edge of the screenshot')
const modifiers = z.array(z.string()).optional().describe('keys held meanwhile: ctrl, shift, alt, super')

type Hand = [name: string, description: string, schema: z.ZodType]

const hands: Hand[] = [
  ['click', 'Click the left button.', z.object({ x, y, modifiers })],
  ['double_click', 'Double-click the left button.', z.object({ x, y })],
  ['right_click', 'Click the right button.', z.object({ x, y })],
  ['mouse_move', 'Move the pointer without clicking.', z.object({ x, y })],
  ['drag', 'Drag with the left button.', z.object({ from: z.array(z.number()), to: z.array(z.number()) })],
  [
    'scroll',
    'Turn the wheel.',
    z.object({ x, y, direction: z.enum(['up', 'down', 'left', 'right']), amount: z.number() }),
  ],
  ['type', 'Type text. A line break presses Enter.', z.object({ text: z.string() })],
  ['key', 'Press a key or a chord, like Return or ctrl+s.', z.object({ keys: z.string() })],
  ['wait', 'Wait for some seconds.', z.object({ seconds: z.number() })],
]

const mark = z.number().int().describe('the number of a mark on the screen')
const marked = new Set(['click', 'double_click', 'right_click', 'mouse_move', 'drag', 'scroll'])
/** For a model that cannot point. */
const handsOnMarks: Hand[] = [
  ['click', 'Click a mark with the left button.', z.object({ mark })],
  ['double_click', 'Double-click a mark.', z.object({ mark })],
  ['right_click', 'Click a mark with the right button.', z.object({ mark })],
  ['mouse_move', 'Move the pointer onto a mark.', z.object({ mark })],
  ['scroll', 'Turn the wheel.', z.object({ direction: z.enum(['up', 'down', 'left', 'right']), amount: z.number() })],
  ...hands.filter(([name]) => !marked.has(name)),
]

const toolsWith = (own: Hand[]) =>
  [
    ...own.map(([name, description, schema]) => ({ name, description, parameters: inputSchemaOf(schema) })),
    ...[...leadingTools, ...guestTools].map(({ name, description, schema }) => ({
      name,
      description,
      parameters: schema,
    })),
  ].map((fn) => ({ type: 'function' as const, function: fn }))

/** What goes into the request of a server that can call tools. */
export const chatTools = { places: toolsWith(hands), marks: toolsWith(handsOnMarks) }

/** Any vision model that can call tools, with our own schema. */
export const plainTools: Format = {
  id: 'tools',
  label: 'Any model that calls tools',
  models: /./,
  view: { longEdge: 1280, multipleOf: 8 },
  space: 'pixels',
  calls: 'server',
  prompt: (instructions) =>
    systemPrompt(instructions, 'Coordinates are pixels of the screenshot. Act by calling tools.'),
  where: (what) => `Click ${what}, with the click tool. Do nothing else.`,
  read: ({ text, reasoning, calls }) => {
    const { thinking, rest } = splitThinking(text)
    const actions: Reading['actions'] = calls.map(({ id, name, arguments: given }) => ({
      id,
      name,
      args: record(looseJson(given)),
    }))
    const written = actions.length === 0 ? record(firstObject(rest)) : {}
    // A model whose template the server does not know writes its call into the text.
    if (typeof written.name === 'string')
      actions.push({ name: written.name, args: record(stringOrValue(written.arguments ?? written.parameters)) })
    return {
      thought: [reasoning, thinking, rest.trim()].filter(Boolean).join('\n'),
      actions,
      problem: actions.length > 0 ? null : 'No tool was called. Act by calling tools.',
    }
  },
}

function stringOrValue(value: unknown): unknown {
  return typeof value === 'string' ? looseJson(value) : value
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
