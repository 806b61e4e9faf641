import { z } from 'zod'
import type { Act, Point } from '../../../contract/action.ts'
import type { Meaning } from '../conversation/call.ts'
import { guestTools, leadingTools } from '../conversation/own-tools.ts'
import { readPoint } from './points.ts'

/** The actions of local models by their many names, and what they mean. */

export type Named = { name: string; args: Record<string, unknown> }

export type Senses = {
  /** From the model's numbers to the screen; null when it is not on it. */
  place: (point: Point) => Point | null
  /** Why this model must not point at anything, if so. */
  blind: string | null
  /** What is numbered on the screen, for a model that cannot point: a number is as good as a place. */
  marks?: ReadonlyMap<number, Point>
  /** Where the pointer was last put: some models drag from there. */
  pointer: { at: Point | null }
}

/** A model that says it is done without a way to prove it. */
export type Claim = { kind: 'claim'; summary: string; success: boolean }

const clicks: Record<string, Pick<Act & { type: 'click' }, 'button' | 'count'>> = {
  click: { button: 'left', count: 1 },
  left_click: { button: 'left', count: 1 },
  left_single: { button: 'left', count: 1 },
  tap: { button: 'left', count: 1 },
  right_click: { button: 'right', count: 1 },
  right_single: { button: 'right', count: 1 },
  middle_click: { button: 'middle', count: 1 },
  double_click: { button: 'left', count: 2 },
  left_double: { button: 'left', count: 2 },
  triple_click: { button: 'left', count: 3 },
}
const doneNames = new Set(['finished', 'finish', 'done', 'terminate', 'answer', 'complete', 'task_complete', 'stop'])

export function readAction({ name: given, args }: Named, senses: Senses): Meaning | Claim {
  const name = given
    .trim()
    .toLowerCase()
    .replace(/^computer[._]/, '')
    .replace(/_(desktop|element|at)$/, '')
  const click = clicks[name]
  if (click) return withPlace(args, senses, (at) => ({ type: 'click', at, ...click, ...held(args) }))
  switch (name) {
    case 'move':
    case 'mouse_move':
    case 'hover':
      return withPlace(args, senses, (to) => ({ type: 'move', to }))
    case 'drag':
    case 'left_click_drag':
    case 'select':
      return drag(args, senses)
    case 'type':
    case 'write':
    case 'input_text':
    case 'type_text':
      return typed(args)
    case 'key':
    case 'press':
    case 'press_key':
    case 'hotkey':
    case 'keypress':
    case 'keyboard':
      return key(args)
    case 'scroll':
    case 'hscroll':
      return scroll(name, args, senses)
    case 'wait':
    case 'sleep': {
      const seconds = number(args, 'seconds', 'time', 'duration', 'value') ?? 2
      return { kind: 'act', act: { type: 'wait', seconds: Math.min(60, Math.max(0, seconds)) } }
    }
    case 'screenshot':
      return { kind: 'act', act: { type: 'screenshot' }, shows: 'screen' }
    case 'call_user':
    case 'ask':
      return { kind: 'ask', question: text(args, 'content', 'question', 'text') ?? 'The model asks for help.' }
  }
  if (doneNames.has(name)) return done(args, senses)
  const own = [...leadingTools, ...guestTools].find((tool) => tool.name === name)
  return own ? own.read(args, nativePlace(senses)) : { kind: 'wrong', problem: `There is no action called ${given}.` }
}

function withPlace(args: Named['args'], senses: Senses, act: (at: Point) => Act): Meaning {
  const at = pointIn(args, senses, 'coordinate', 'start_box', 'point', 'start_point', 'position', 'bbox', 'bbox_2d')
  if ('problem' in at) return { kind: 'wrong', problem: at.problem }
  senses.pointer.at = at
  return { kind: 'act', act: act(at) }
}

function pointIn(args: Named['args'], senses: Senses, ...keys: string[]): Point | { problem: string } {
  const mark = senses.marks && number(args, 'mark')
  if (mark !== undefined) return senses.marks?.get(mark) ?? { problem: `There is no mark ${mark} on the screen.` }
  if (senses.blind) return { problem: senses.blind }
  const key = keys.find((name) => args[name] !== undefined && args[name] !== null)
  const given = readPoint(key === undefined ? args : args[key])
  if (!given) return { problem: 'It is not said where: give the place as two numbers, x and y.' }
  return senses.place(given) ?? { problem: `(${given.x}, ${given.y}) is not on the screen.` }
}

function drag(args: Named['args'], senses: Senses): Meaning {
  const to = pointIn(args, senses, 'end_box', 'end_point', 'end', 'to', 'end_coordinate', 'coordinate')
  if ('problem' in to) return { kind: 'wrong', problem: to.problem }
  const named = ['start_box', 'start_point', 'start', 'from', 'start_coordinate'].some((name) => args[name] != null)
  const from = named
    ? pointIn(args, senses, 'start_box', 'start_point', 'start', 'from', 'start_coordinate')
    : (senses.pointer.at ?? { problem: 'It is not said where the drag begins.' })
  if ('problem' in from) return { kind: 'wrong', problem: from.problem }
  senses.pointer.at = to
  return { kind: 'act', act: { type: 'drag', path: [from, to], button: 'left' } }
}

function typed(args: Named['args']): Meaning {
  const words = text(args, 'text', 'content', 'value')
  if (words === undefined) return { kind: 'wrong', problem: 'It is not said what to type.' }
  if (words.length > 100_000) return { kind: 'wrong', problem: 'That is too long to type: write a file instead.' }
  const enter = args.press_enter === true || args.enter === true
  return { kind: 'act', act: { type: 'type', text: enter && !words.endsWith('\n') ? `${words}\n` : words } }
}

function key(args: Named['args']): Meaning {
  const given = args.keys ?? args.key ?? args.text ?? args.hotkey ?? args.combination
  const names = Array.isArray(given) ? given.map(String) : typeof given === 'string' ? chordNames(given) : []
  const chord = names.join('+')
  if (chord === '' || chord.length > 100) return { kind: 'wrong', problem: 'It is not said which key to press.' }
  const repeat = Math.min(100, Math.max(1, Math.round(number(args, 'repeat', 'presses') ?? 1)))
  return { kind: 'act', act: { type: 'key', chord, repeat } }
}

/** "ctrl c", "ctrl+c" and "page down" are all one chord. */
function chordNames(given: string): string[] {
  if (given.includes('+') || !given.trim().includes(' ')) return [given.trim()]
  if (/^page (up|down)$/i.test(given.trim())) return [given.trim().replace(' ', '_')]
  return given.trim().split(/\s+/)
}

/** Some say notches, some pixels, some only a direction. */
function scroll(name: string, args: Named['args'], senses: Senses): Meaning {
  const placed = ['coordinate', 'start_box', 'point', 'start_point', 'position', 'x'].some((key) => args[key] != null)
  const at =
    placed && !senses.blind
      ? pointIn(args, senses, 'coordinate', 'start_box', 'point', 'start_point', 'position')
      : null
  if (at && 'problem' in at) return { kind: 'wrong', problem: at.problem }
  const direction = text(args, 'direction', 'scroll_direction')?.toLowerCase()
  const amount = number(args, 'amount', 'scroll_amount', 'clicks', 'pixels', 'distance')
  const notches = amount === undefined ? 5 : Math.abs(amount) > 20 ? Math.abs(amount) / 100 : Math.abs(amount)
  const steps = Math.min(50, Math.max(1, Math.round(notches)))
  // Without a direction the sign tells: up is positive, as a wheel has it; to the side, right is.
  const way =
    direction ?? (name === 'hscroll' ? ((amount ?? 1) < 0 ? 'left' : 'right') : (amount ?? -1) < 0 ? 'down' : 'up')
  const by: Record<string, [number, number]> = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] }
  const [dx, dy] = by[way] ?? [0, 0]
  if (dx === 0 && dy === 0) return { kind: 'wrong', problem: `One cannot scroll ${way}.` }
  return { kind: 'act', act: { type: 'scroll', ...(at ? { at } : {}), dx: dx * steps, dy: dy * steps } }
}

function done(args: Named['args'], senses: Senses): Meaning | Claim {
  const summary = text(args, 'summary', 'content', 'text', 'answer', 'message') ?? 'The model says the task is done.'
  const own = leadingTools.find((tool) => tool.name === 'finish')
  if (own && Array.isArray(args.checks) && args.checks.length > 0)
    return own.read({ ...args, summary }, nativePlace(senses))
  const status = text(args, 'status')?.toLowerCase() ?? 'success'
  return { kind: 'claim', summary, success: !/^(fail|infeasible|error|impossible)/.test(status) }
}

function nativePlace(senses: Senses): (point: Point) => Point {
  return (point) => senses.place(point) ?? point
}

function held(args: Named['args']): { modifiers?: string[] } {
  const modifiers = z
    .array(z.string().min(1).max(20))
    .min(1)
    .max(4)
    .safeParse(args.modifiers ?? args.keys)
  return modifiers.success ? { modifiers: modifiers.data } : {}
}

function text(args: Named['args'], ...keys: string[]): string | undefined {
  const found = keys.map((key) => args[key]).find((value) => typeof value === 'string' || typeof value === 'number')
  return found === undefined ? undefined : String(found)
}

function number(args: Named['args'], ...keys: string[]): number | undefined {
  const found = keys.map((key) => args[key]).find((value) => value !== undefined && value !== null && value !== '')
  const value = Number(found)
  return found !== undefined && Number.isFinite(value) ? value : undefined
}
