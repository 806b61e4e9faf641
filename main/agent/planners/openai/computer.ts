import type { Act } from '../../../contract/action.ts'
import type { View } from '../../../screen/view.ts'
import type { Call, Meaning } from '../conversation/call.ts'
import { ComputerAction, type OutputItem } from './items.ts'

/** What a computer call of the Responses API means: its actions one by one, and leave to do them where it is asked for. */
export function readComputerCall(call: OutputItem & { type: 'computer_call' }, view: View, mustAsk: boolean): Call[] {
  const given = call.actions ?? (call.action === undefined ? [] : [call.action])
  const meanings = given.map((action) => readAction(action, view))
  const checks = call.pending_safety_checks
  if (meanings.length === 0) meanings.push({ kind: 'wrong', problem: 'The computer call had no action in it.' })
  const calls = meanings.map((meaning, index) => ({ id: `${call.call_id}#${index}`, meaning }))
  if (checks.length === 0 || !mustAsk) return calls
  const why = checks.map(({ code, message }) => message ?? code ?? 'no reason given').join(' ')
  const permit = meanings.flatMap((meaning) => (meaning.kind === 'act' ? [meaning.act] : []))
  return [
    {
      id: permitId(call.call_id),
      meaning: {
        kind: 'permit',
        question: `The model's provider warns before the next actions: ${why} Go on?`,
        permit,
      },
    },
    ...calls,
  ]
}

export function permitId(callId: string): string {
  return `${callId}#permit`
}

function readAction(given: unknown, view: View): Meaning {
  const parsed = ComputerAction.safeParse(given)
  if (!parsed.success) return { kind: 'wrong', problem: `An action could not be understood: ${JSON.stringify(given)}` }
  const action = parsed.data
  const outside = pointsOf(action).find(({ x, y }) => !(x >= 0 && y >= 0 && x < view.width && y < view.height))
  if (outside)
    return {
      kind: 'wrong',
      problem: `(${outside.x}, ${outside.y}) is not on the screen, which is ${view.width}×${view.height} pixels.`,
    }
  if (action.type === 'screenshot') return { kind: 'act', act: { type: 'screenshot' }, shows: 'screen' }
  if (action.type === 'drag' && action.path.length < 2) return { kind: 'wrong', problem: 'A drag needs two points.' }
  if (action.type === 'keypress' && action.keys.length === 0) return { kind: 'wrong', problem: 'No key was named.' }
  return { kind: 'act', act: actOf(action, view) }
}

/** Distances come in pixels; a wheel turns in notches. */
const NOTCH = 100
const WAIT_SECONDS = 2

function actOf(action: Exclude<ComputerAction, { type: 'screenshot' }>, view: View): Act {
  switch (action.type) {
    case 'click': {
      const button = action.button === 'wheel' ? 'middle' : action.button
      return { type: 'click', at: view.toNative(action), button, count: 1, ...held(action.keys) }
    }
    case 'double_click':
      return { type: 'click', at: view.toNative(action), button: 'left', count: 2, ...held(action.keys) }
    case 'drag':
      return { type: 'drag', path: action.path.map(view.toNative), button: 'left', ...held(action.keys) }
    case 'move':
      return { type: 'move', to: view.toNative(action) }
    case 'scroll':
      return {
        type: 'scroll',
        at: view.toNative(action),
        dx: notches(action.scroll_x),
        dy: notches(action.scroll_y),
        ...held(action.keys),
      }
    case 'type':
      return { type: 'type', text: action.text }
    case 'keypress':
      return { type: 'key', chord: action.keys.join('+'), repeat: 1 }
    case 'wait':
      return { type: 'wait', seconds: WAIT_SECONDS }
  }
}

function notches(pixels: number): number {
  if (pixels === 0) return 0
  return Math.sign(pixels) * Math.min(100, Math.max(1, Math.round(Math.abs(pixels) / NOTCH)))
}

function held(keys: string[] | null | undefined): { modifiers?: string[] } {
  return keys && keys.length > 0 ? { modifiers: keys } : {}
}

function pointsOf(action: ComputerAction): { x: number; y: number }[] {
  if (action.type === 'drag') return action.path
  return 'x' in action ? [{ x: action.x, y: action.y }] : []
}
