import type { Act, Point } from '../../contract/action.ts'
import { type Done, type MessageShape, resultText } from './conversation.ts'

/** OpenAI's chat messages; hands are calls of a function `computer` with the fields of its computer-use actions. */
export const openaiMessages: MessageShape = {
  goal: (text, screen) => [{ role: 'user', content: [{ type: 'text', text }, ...image(screen)] }],
  turn: (thought, done) => [
    { role: 'assistant', content: thought, ...(done.length > 0 && { tool_calls: done.map(toolCall) }) },
  ],
  outcome: (done, checks, screen) => {
    const results = done.map((each) => ({ role: 'tool', tool_call_id: each.id, content: resultText(each) }))
    const content = [...checks.map((text) => ({ type: 'text', text })), ...image(screen)]
    return [...results, ...(content.length > 0 ? [{ role: 'user', content }] : [])]
  },
  ending: (text) => [{ role: 'assistant', content: text }],
}

function image(screen: string | null) {
  return screen ? [{ type: 'image_url', image_url: { url: `data:image/png;base64,${screen}` } }] : []
}

function toolCall({ id, act }: Done) {
  const { name, input } = asFunction(act)
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

const spot = (point: Point | undefined) => (point ? { x: Math.round(point.x), y: Math.round(point.y) } : {})

function asFunction(act: Act): { name: string; input: object } {
  switch (act.type) {
    case 'exec':
      return { name: 'shell', input: { command: act.command } }
    case 'read_file':
      return { name: 'read_file', input: { path: act.path } }
    case 'write_file':
      return { name: 'write_file', input: { path: act.path, text: act.text } }
    case 'checkpoint':
    case 'rollback':
    case 'branch':
      return { name: act.type, input: act }
    case 'click': {
      const input = act.count === 2 ? { type: 'double_click' } : { type: 'click', button: act.button }
      const keys = act.modifiers?.length ? { keys: act.modifiers } : {}
      return {
        name: 'computer',
        input: { ...input, ...spot(act.at), ...keys, ...(act.count > 2 && { count: act.count }) },
      }
    }
    case 'move':
      return { name: 'computer', input: { type: 'move', ...spot(act.to) } }
    case 'drag':
      return { name: 'computer', input: { type: 'drag', path: act.path.map(spot) } }
    case 'scroll':
      return { name: 'computer', input: { type: 'scroll', ...spot(act.at), scroll_x: act.dx, scroll_y: act.dy } }
    case 'key':
      return { name: 'computer', input: { type: 'keypress', keys: act.chord.split('+') } }
    default:
      return { name: 'computer', input: act }
  }
}
