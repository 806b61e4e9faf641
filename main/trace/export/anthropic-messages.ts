import type { Act, Point } from '../../contract/action.ts'
import { isTreeAct, type TreeAct } from '../../contract/tree-act.ts'
import { type Done, type MessageShape, resultText } from './conversation.ts'

/** Anthropic's Messages, with the names of its computer, bash and text editor tools. Points are native pixels. */
export const anthropicMessages: MessageShape = {
  goal: (text, screen) => [{ role: 'user', content: [{ type: 'text', text }, ...image(screen)] }],
  turn: (thought, done) => [
    { role: 'assistant', content: [{ type: 'text', text: thought || '…' }, ...done.map(toolUse)] },
  ],
  outcome: (done, checks, screen) => {
    const results = done.map((each, n) => ({
      type: 'tool_result',
      tool_use_id: each.id,
      content: [{ type: 'text', text: resultText(each) }, ...(n === done.length - 1 ? image(screen) : [])],
      ...(!each.result.ok && { is_error: true }),
    }))
    const notes = checks.map((text) => ({ type: 'text', text }))
    const content = [...results, ...notes, ...(done.length === 0 ? image(screen) : [])]
    return content.length > 0 ? [{ role: 'user', content }] : []
  },
  ending: (text) => [{ role: 'assistant', content: [{ type: 'text', text }] }],
}

function image(screen: string | null) {
  return screen ? [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: screen } }] : []
}

function toolUse({ id, act }: Done) {
  const editor = 'str_replace_based_edit_tool'
  if (act.type === 'exec') return use(id, 'bash', { command: act.command })
  if (act.type === 'read_file') return use(id, editor, { command: 'view', path: act.path })
  if (act.type === 'write_file') return use(id, editor, { command: 'create', path: act.path, file_text: act.text })
  if (isTreeAct(act)) return use(id, act.type, act)
  return use(id, 'computer', computerInput(act))
}

const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input })
const pair = ({ x, y }: Point) => [Math.round(x), Math.round(y)]
const place = (point: Point | undefined) => (point ? { coordinate: pair(point) } : {})
const withKeys = (modifiers: string[] | undefined) => (modifiers?.length ? { text: modifiers.join('+') } : {})

function computerInput(act: Exclude<Act, TreeAct | { type: 'exec' | 'read_file' | 'write_file' }>): object {
  switch (act.type) {
    case 'screenshot':
      return { action: 'screenshot' }
    case 'zoom': {
      const { x, y, width, height } = act.region
      return { action: 'zoom', region: [x, y, x + width, y + height] }
    }
    case 'move':
      return { action: 'mouse_move', coordinate: pair(act.to) }
    case 'click': {
      const repeated = ['', 'double_click', 'triple_click'][act.count - 1]
      return { action: repeated || `${act.button}_click`, ...place(act.at), ...withKeys(act.modifiers) }
    }
    case 'drag': {
      const [start, end] = [act.path[0], act.path.at(-1)]
      return { action: 'left_click_drag', ...(start && { start_coordinate: pair(start) }), ...place(end) }
    }
    case 'mouse_down':
      return { action: 'left_mouse_down', ...place(act.at) }
    case 'mouse_up':
      return { action: 'left_mouse_up', ...place(act.at) }
    case 'scroll': {
      const vertical = act.dy !== 0
      const amount = vertical ? act.dy : act.dx
      const direction = vertical ? (amount > 0 ? 'down' : 'up') : amount > 0 ? 'right' : 'left'
      return {
        action: 'scroll',
        ...place(act.at),
        scroll_direction: direction,
        scroll_amount: Math.abs(amount),
        ...withKeys(act.modifiers),
      }
    }
    case 'type':
      return { action: 'type', text: act.text }
    case 'key':
      return { action: 'key', text: act.chord, ...(act.repeat > 1 && { repeat: act.repeat }) }
    case 'hold':
      return { action: 'hold_key', text: act.chord, duration: act.seconds }
    case 'wait':
      return { action: 'wait', duration: act.seconds }
    case 'cursor':
      return { action: 'cursor_position' }
  }
}
