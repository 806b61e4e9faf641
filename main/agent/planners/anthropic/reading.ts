import { z } from 'zod'
import type { View } from '../../../screen/view.ts'
import type { Call, Meaning } from '../conversation/call.ts'
import { leadingTools } from '../conversation/own-tools.ts'
import { clip, clipDeep } from '../conversation/untrusted.ts'
import { BASH, EDITOR, readBashCall, readEditorCall } from './companions.ts'
import { isMember, readComputerCall } from './computer.ts'
import type { AssistantBlock, ToolUse } from './history.ts'
import { INVALID_JSON, type Reply } from './stream.ts'

/** What an answer says and asks for. */

/** The name of the toolset, and of the one tool that came before it. */
export const COMPUTER = 'computer'
const LONGEST_WORDS = 400_000
const LONGEST_THOUGHT = 20_000

export function callsIn(content: AssistantBlock[], view: View): Call[] {
  return toolUses(content).map((call) => ({ id: call.id, meaning: readCall(call, view) }))
}

export function toolUses(content: AssistantBlock[]): ToolUse[] {
  return content.filter((block) => block.type === 'tool_use')
}

function readCall({ name, input, toolset_name, clipped }: ToolUse, view: View): Meaning {
  if (clipped)
    return { kind: 'wrong', problem: 'It was too long to be kept over a restart. Nothing was done; call it again.' }
  if (hasKey(input, INVALID_JSON))
    return { kind: 'wrong', problem: `The input of ${name} is not valid JSON. Nothing was done; call it again.` }
  const action = name === COMPUTER && toolset_name === undefined ? actionIn(input) : name
  if (toolset_name === COMPUTER || name === COMPUTER)
    return isMember(action)
      ? readComputerCall(action, input, view)
      : { kind: 'wrong', problem: `The computer has no action called ${action}.` }
  if (name === BASH) return readBashCall(input)
  if (name === EDITOR) return readEditorCall(input)
  const own = leadingTools.find((tool) => tool.name === name)
  return own ? own.read(input, view.toNative) : { kind: 'wrong', problem: `There is no tool called ${name}.` }
}

function hasKey(input: unknown, key: string): boolean {
  return typeof input === 'object' && input !== null && key in input
}

function actionIn(input: unknown): string {
  return z.object({ action: z.string() }).catch({ action: '(none)' }).parse(input).action
}

export function thoughtIn({ content }: Reply): string {
  const words = content.flatMap((block) =>
    block.type === 'text' ? [block.text] : block.type === 'thinking' ? [block.thinking] : [],
  )
  return clip(words.join('\n').trim(), LONGEST_THOUGHT)
}

/** At the length limit the last call is half of one. */
export function withoutHalfCall(content: Reply['content']): Reply['content'] {
  const last = content.at(-1)
  return last?.type === 'tool_use' && hasKey(last.input, INVALID_JSON) ? content.slice(0, -1) : content
}

/** What goes into the history. Words may be cut; thinking is whole or not there. */
export function kept(content: AssistantBlock[]): AssistantBlock[] {
  return content.flatMap((block): AssistantBlock[] => {
    if (block.type === 'text') return [{ ...block, text: clip(block.text, LONGEST_WORDS) }]
    if (block.type === 'thinking') return block.thinking.length > LONGEST_WORDS ? [] : [block]
    if (block.type !== 'tool_use') return [block]
    const long = JSON.stringify(block.input).length > LONGEST_WORDS
    return [long ? { ...block, input: clipDeep(block.input, LONGEST_WORDS / 4), clipped: true } : block]
  })
}
