import { systemPrompt } from '../../conversation/instructions.ts'
import { guestTools, leadingTools } from '../../conversation/own-tools.ts'
import { firstObject, looseJson } from '../loose-json.ts'
import { type Format, splitThinking } from './format.ts'

const point = { x: 'integer, 0 to 1000', y: 'integer, 0 to 1000' }
const tools = [
  { tool_name: 'click', element: 'what is clicked', ...point },
  { tool_name: 'double_click', element: 'what is clicked', ...point },
  { tool_name: 'right_click', element: 'what is clicked', ...point },
  { tool_name: 'mouse_move', ...point },
  { tool_name: 'drag', start: '[x, y]', end: '[x, y]' },
  { tool_name: 'write', content: 'text', press_enter: 'boolean' },
  { tool_name: 'hotkey', keys: 'list of key names pressed together' },
  { tool_name: 'scroll', direction: 'up, down, left or right', amount: 'wheel notches', ...point },
  { tool_name: 'wait', seconds: 'number' },
]

/** Holo3: one JSON object a turn, `{note, thought, tool_call: {tool_name, …}}`, places from 0 to 1000. */
export const holo: Format = {
  id: 'holo3',
  label: 'Holo3',
  models: /\bholo-?\d/i,
  view: { multipleOf: 32, pixels: 1280 * 32 * 32 },
  space: 'thousand',
  calls: 'text',
  prompt: (instructions) => `${systemPrompt(instructions, 'Coordinates are from 0 to 1000 on both axes.')}

Answer with one JSON object and nothing else:
{"note": what is worth remembering or null, "thought": your reasoning, "tool_call": {"tool_name": …, its arguments}}

Tools:
${[...tools, ...[...leadingTools, ...guestTools].map(({ name, description, schema }) => ({ tool_name: name, description, arguments: schema }))].map((tool) => JSON.stringify(tool)).join('\n')}`,
  where: (what) =>
    `Click ${what}. Answer with exactly one JSON object: {"note": null, "thought": "", "tool_call": {"tool_name": "click", "x": …, "y": …}}`,
  read: ({ text, reasoning }) => {
    const { thinking, rest } = splitThinking(text)
    const answer = firstObject(rest)
    const said = isRecord(answer) ? answer : {}
    const given = said.tool_call ?? said.action ?? (typeof said.tool_name === 'string' ? said : undefined)
    const calls = (Array.isArray(given) ? given : [given]).map((call) =>
      typeof call === 'string' ? looseJson(call) : call,
    )
    const actions = calls.filter(isRecord).flatMap((call) => {
      const name = call.tool_name ?? call.name ?? call.tool
      const inner = call.arguments ?? call.parameters
      return typeof name === 'string' ? [{ name, args: isRecord(inner) ? { ...call, ...inner } : call }] : []
    })
    const words = [said.thought, said.note].filter((part) => typeof part === 'string' && part !== '')
    return {
      thought: [reasoning, thinking, ...words].filter(Boolean).join('\n') || (actions.length === 0 ? rest.trim() : ''),
      actions,
      problem:
        actions.length > 0 ? null : 'There is no tool_call in the answer. Answer with one JSON object that has one.',
    }
  },
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
