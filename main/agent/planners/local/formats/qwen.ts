import { systemPrompt } from '../../conversation/instructions.ts'
import { guestTools, leadingTools } from '../../conversation/own-tools.ts'
import { firstObject, looseJson } from '../loose-json.ts'
import { type Format, type Reading, type Said, splitThinking } from './format.ts'

/** Qwen's `computer_use`, as a tool call in the text or through the server. */

const COMPUTER = 'computer_use'

function computerUse(coordinates: string) {
  return {
    type: 'function',
    function: {
      name: COMPUTER,
      description: `Use a mouse and keyboard to interact with a computer, and take screenshots. ${coordinates} Click in the centre of what you mean.`,
      parameters: {
        type: 'object',
        properties: {
          action: {
            type: 'string',
            enum: 'key type mouse_move left_click left_click_drag right_click middle_click double_click triple_click scroll hscroll wait terminate answer'.split(
              ' ',
            ),
          },
          keys: { type: 'array', description: 'for key: the keys pressed together' },
          text: { type: 'string', description: 'for type and answer' },
          coordinate: { type: 'array', description: '(x, y), from the left and from the top edge' },
          pixels: { type: 'number', description: 'for scroll: positive is up, negative is down' },
          time: { type: 'number', description: 'for wait: seconds' },
          status: { type: 'string', enum: ['success', 'failure'], description: 'for terminate' },
        },
        required: ['action'],
      },
    },
  }
}

const others = [...leadingTools, ...guestTools].map(({ name, description, schema }) => ({
  type: 'function',
  function: { name, description, parameters: schema },
}))

function qwen(id: string, label: string, models: RegExp, space: 'pixels' | 'thousand', factor: number): Format {
  const coordinates =
    space === 'thousand'
      ? 'Coordinates are from 0 to 1000 on both axes, whatever the size of the screen.'
      : 'Coordinates are pixels of the screenshot.'
  return {
    id,
    label,
    models,
    view: { multipleOf: factor, pixels: 1280 * factor * factor },
    space,
    calls: 'text',
    prompt: (instructions) => `${systemPrompt(instructions, coordinates)}

# Tools

You may call one or more functions to assist with the user query.
You are provided with function signatures within <tools></tools> XML tags:
<tools>
${[computerUse(coordinates), ...others].map((tool) => JSON.stringify(tool)).join('\n')}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>`,
    where: (what) =>
      `Left-click ${what}. Answer with exactly one tool call:\n<tool_call>\n{"name": "${COMPUTER}", "arguments": {"action": "left_click", "coordinate": [x, y]}}\n</tool_call>`,
    read: readQwen,
  }
}

export const qwen25 = qwen('qwen2.5-vl', 'Qwen2.5-VL', /qwen-?2\.?5-?vl/i, 'pixels', 28)
export const qwen3 = qwen('qwen3-vl', 'Qwen3-VL and 3.5', /qwen-?3/i, 'thousand', 32)

function readQwen({ text, reasoning, calls }: Said): Reading {
  const { thinking, rest } = splitThinking(text)
  const blocks = [...rest.matchAll(/<tool_call>([\s\S]*?)(?:<\/tool_call>|(?=<tool_call>)|$)/g)].map(
    ([, inside]) => inside ?? '',
  )
  const fromServer = calls.map((call) => ({ value: { name: call.name, arguments: call.arguments }, id: call.id }))
  const fromText = blocks.length > 0 ? blocks.map(readBlock) : [readBlock(rest)]
  const found = [...fromServer, ...fromText.map((value) => ({ value, id: undefined }))]
  const actions = found.flatMap(({ value, id }) => actionIn(value).map((action) => (id ? { ...action, id } : action)))
  const words = blocks.length > 0 ? rest.slice(0, rest.indexOf('<tool_call>')) : actions.length > 0 ? '' : rest
  return {
    thought: [reasoning, thinking, words.replace(/^\s*(Thought|Action)\s*:/gim, '').trim()].filter(Boolean).join('\n'),
    actions,
    problem:
      actions.length > 0 ? null : 'There is no tool call in the answer. Write one inside <tool_call></tool_call>.',
  }
}

function readBlock(block: string): unknown {
  return xmlCall(block) ?? firstObject(block)
}

/** Small models write <function=…><parameter=…>value</parameter></function>, or tags named like the arguments. */
function xmlCall(block: string): unknown {
  const name = /<function\s*=\s*"?([\w.]+)"?\s*>/.exec(block)?.[1] ?? /<function_name>\s*([\w.]+)/.exec(block)?.[1]
  const parameters = [
    ...block.matchAll(
      /<parameter\s*(?:=|name=)\s*"?(\w+)"?\s*>([\s\S]*?)(?:<\/parameter>|(?=<parameter)|(?=<\/function)|$)/g,
    ),
    ...block.matchAll(/<(action|coordinate|text|keys|pixels|time|status)>([\s\S]*?)<\/\1>/g),
  ]
  if (parameters.length === 0) return undefined
  const entries = parameters.map(([, key, value = '']) => [key ?? '', plainOrJson(value.trim())])
  return { name: name ?? COMPUTER, arguments: Object.fromEntries(entries) }
}

function plainOrJson(value: string): unknown {
  return /^[[{(]/.test(value) ? looseJson(value) : value
}

function actionIn(value: unknown): Reading['actions'] {
  if (Array.isArray(value)) return value.flatMap(actionIn)
  if (!isRecord(value)) return []
  const inner = value.function ?? value.tool_call
  if (isRecord(inner)) return actionIn(inner)
  const given = value.arguments ?? value.parameters ?? value.args
  const parsed = typeof given === 'string' ? looseJson(given) : given
  const args = isRecord(parsed) ? parsed : given === undefined ? value : {}
  const action = args.action ?? args.action_type
  if (typeof action === 'string') return [{ name: action, args }]
  return typeof value.name === 'string' && value.name !== COMPUTER ? [{ name: value.name, args }] : []
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
