import { z } from 'zod'
import { PictureRef } from '../conversation/pictures.ts'

/** The conversation as the Responses API takes it, item by item, with pictures by name. */

const SafetyCheck = z.object({ id: z.string(), code: z.string().nullish(), message: z.string().nullish() })
export type SafetyCheck = z.infer<typeof SafetyCheck>

const xy = { x: z.number(), y: z.number() }
const keys = { keys: z.array(z.string()).nullish() }
export const ComputerAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('click'), button: z.enum(['left', 'right', 'wheel', 'back', 'forward']), ...xy, ...keys }),
  z.object({ type: z.literal('double_click'), ...xy, ...keys }),
  z.object({ type: z.literal('drag'), path: z.array(z.object(xy)), ...keys }),
  z.object({ type: z.literal('keypress'), keys: z.array(z.string()) }),
  z.object({ type: z.literal('move'), ...xy, ...keys }),
  z.object({ type: z.literal('screenshot') }),
  z.object({ type: z.literal('scroll'), scroll_x: z.number(), scroll_y: z.number(), ...xy, ...keys }),
  z.object({ type: z.literal('type'), text: z.string() }),
  z.object({ type: z.literal('wait') }),
])
export type ComputerAction = z.infer<typeof ComputerAction>

const Reasoning = z.object({
  type: z.literal('reasoning'),
  id: z.string(),
  summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
  encrypted_content: z.string().nullish(),
})
const OutputMessage = z.object({
  type: z.literal('message'),
  id: z.string(),
  role: z.literal('assistant'),
  status: z.enum(['in_progress', 'completed', 'incomplete']),
  phase: z.enum(['commentary', 'final_answer']).nullish(), // wants to come back as it was
  content: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('output_text'), text: z.string() }),
      z.object({ type: z.literal('refusal'), refusal: z.string() }),
    ]),
  ),
})
const ComputerCall = z.object({
  type: z.literal('computer_call'),
  id: z.string(),
  call_id: z.string(),
  status: z.enum(['in_progress', 'completed', 'incomplete']),
  pending_safety_checks: z.array(SafetyCheck).default([]),
  action: z.unknown().optional(), // the older form; what cannot be read is told to the model, not thrown away
  actions: z.array(z.unknown()).optional(),
})
const FunctionCall = z.object({
  type: z.literal('function_call'),
  id: z.string().optional(),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
})
export const OutputItem = z.discriminatedUnion('type', [Reasoning, OutputMessage, ComputerCall, FunctionCall])
export type OutputItem = z.infer<typeof OutputItem>

const Part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('picture'), picture: PictureRef }),
])
export type Part = z.infer<typeof Part>
const InputItem = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), content: z.array(Part) }),
  z.object({
    type: z.literal('computer_call_output'),
    call_id: z.string(),
    picture: PictureRef,
    acknowledged: z.array(SafetyCheck),
  }),
  z.object({ type: z.literal('function_call_output'), call_id: z.string(), text: z.string() }),
])
export type InputItem = z.infer<typeof InputItem>

export const Item = z.union([InputItem, OutputItem])
export type Item = z.infer<typeof Item>

export function isInput(item: Item): item is InputItem {
  return item.type === 'user' || item.type === 'computer_call_output' || item.type === 'function_call_output'
}

/** Where the last answer begins. */
export function lastReplyStart(items: Item[]): number {
  return items.findLastIndex(isInput) + 1
}

export function lastReply(items: Item[]): OutputItem[] {
  const end = items.findLastIndex((item) => !isInput(item)) + 1
  const start = lastReplyStart(items.slice(0, end))
  return items.slice(start, end).filter((item): item is OutputItem => !isInput(item))
}

export function pictureCount(items: Item[]): number {
  return items.reduce((sum, item) => sum + picturesOf(item), 0)
}

function picturesOf(item: Item): number {
  if (item.type === 'computer_call_output') return 1
  return item.type === 'user' ? item.content.filter(({ type }) => type === 'picture').length : 0
}

/**
 * The task and the newest part, beginning with an answer: a call and its output stay together. A screenshot that was the
 * output of a call cannot be left out alone.
 */
export function newestPart(items: Item[], keep: number): Item[] {
  const [task] = items
  let from = items.length
  for (let at = items.length - 1, count = 0; at > 0 && count < keep; at--) {
    const item = items[at]
    const before = items[at - 1]
    if (item && before) {
      count += picturesOf(item)
      if (!isInput(item) && isInput(before)) from = at
    }
  }
  if (!task || from <= 1 || from >= items.length) return items
  const left: Item = { type: 'user', content: [{ type: 'text', text: '[What was done before this is left out.]' }] }
  const words: Item =
    task.type === 'user' ? { ...task, content: task.content.filter(({ type }) => type === 'text') } : task
  return [words, left, ...items.slice(from)]
}
