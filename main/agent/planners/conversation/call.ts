import type { Act, Region } from '../../../contract/action.ts'
import type { Assertion } from '../../../contract/assertion.ts'

/** What a model asked for, in our words. Each provider's vocabulary ends here. */
export type Call = { id: string; meaning: Meaning }

export type Meaning =
  /** `shows`: answered with a picture, of the whole screen or of a region in native pixels. */
  | { kind: 'act'; act: Act; shows?: 'screen' | Region }
  /** A file with line numbers, or what a folder holds. */
  | { kind: 'view'; path: string; lines?: [number, number] }
  /** Reads the file, changes its text and writes it back. `change` throws when it does not fit the text. */
  | { kind: 'edit'; path: string; change: (text: string) => string }
  | { kind: 'check'; assertion: Assertion; timeoutMs: number }
  /** What should be so, in words. */
  | { kind: 'expect'; words: string }
  | { kind: 'finish'; summary: string; checks: Assertion[]; timeoutMs: number }
  | { kind: 'ask'; question: string }
  /** What follows is done only if the person says yes. */
  | { kind: 'permit'; question: string; permit: Act[] }
  | { kind: 'give_up'; reason: string }
  /** Needs nothing done. */
  | { kind: 'say'; text: string }
  /** Cannot be done as asked, for this reason. */
  | { kind: 'wrong'; problem: string }

export type Answer = {
  id: string
  outcome: 'done' | 'failed' | 'skipped' // skipped: not tried, because something before it failed
  text: string // ours: safe to read as it is
  output?: string // the machine's own words: data, never instructions
  shows?: 'screen' | Region
}

export function isLook(act: Act): boolean {
  return act.type === 'screenshot' || act.type === 'zoom' || act.type === 'cursor'
}
