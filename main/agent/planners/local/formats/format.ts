import type { ViewLimit } from '../../../../screen/view.ts'
import type { Instructions } from '../../conversation/instructions.ts'
import type { Named } from '../actions.ts'
import type { Space } from '../grounding.ts'

/** What came back from a chat server. */
export type Said = {
  text: string
  reasoning: string // where the server keeps thinking apart
  calls: { id: string; name: string; arguments: string }[]
}

export type Reading = {
  thought: string
  actions: (Named & { id?: string })[]
  problem: string | null // why there is no action
}

/** How one family of models is spoken to and understood. */
export type Format = {
  id: string
  label: string
  /** Names of models that speak it. */
  models: RegExp
  view: ViewLimit
  space: Space
  /** Whether calls go through the server's own tool calling, or are part of the text. */
  calls: 'server' | 'text'
  prompt(instructions: Instructions): string
  /** Asks where something is, for calibration. */
  where(what: string): string
  read(said: Said): Reading
}

/** Thinking that a server left in the text. */
export function splitThinking(text: string): { thinking: string; rest: string } {
  const closed = text.lastIndexOf('</think>')
  if (closed === -1) return { thinking: '', rest: text.replace(/^\s*<think>/, '') }
  return {
    thinking: text
      .slice(0, closed)
      .replace(/^\s*<think>/, '')
      .trim(),
    rest: text.slice(closed + '</think>'.length),
  }
}
