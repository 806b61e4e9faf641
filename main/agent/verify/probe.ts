import type { Assertion } from '../../contract/assertion.ts'
import { GodHandError } from '../../contract/errors.ts'
import type { TextLine } from '../../contract/reading.ts'
import type { RawFrame, Sandbox } from '../../sandbox/sandbox.ts'
import type { NoiseMap } from '../../screen/noise.ts'

/** What assertions may look at. */
export type VerifyContext = {
  sandbox: Sandbox
  /** A stored frame by its hash, for comparisons with earlier moments. */
  frame(hash: string): Promise<RawFrame | null>
  readText(frame: RawFrame): Promise<TextLine[]>
  /** The screen before the step under way: what "changed" refers to when nothing else is named. */
  before?: RawFrame | undefined
  /** What moves by itself on this machine's screen and is no change. */
  noise?: NoiseMap | undefined
}

/**
 * One look. `unknown` means that the question could not be answered: it is no pass, and its opposite is none either.
 */
export type Probe = {
  outcome: 'pass' | 'fail' | 'unknown'
  summary: string
  evidence: Record<string, unknown>
  /** Unknown now and for ever: there is no use in looking again. */
  final?: boolean
}

/** What one look shares between the parts of a combined assertion: they speak of the same moment. */
export type Look = VerifyContext & {
  screen(): Promise<RawFrame>
  text(): Promise<TextLine[]>
  signal: AbortSignal | undefined
  remainingMs: number // of the time given for the whole check
}

export function lookNow(context: VerifyContext, remainingMs: number, signal?: AbortSignal): Look {
  let screen: Promise<RawFrame> | null = null
  let text: Promise<TextLine[]> | null = null
  const look: Look = {
    ...context,
    signal,
    remainingMs,
    screen: () => {
      screen ??= context.sandbox.capture()
      return screen
    },
    text: () => {
      text ??= look.screen().then(context.readText)
      return text
    },
  }
  return look
}

/** Evaluates one kind of assertion, once. */
export type Check<K extends Assertion['check']> = (
  look: Look,
  assertion: Extract<Assertion, { check: K }>,
) => Promise<Probe>

export function verdictOf(holds: boolean, summary: string, evidence: Record<string, unknown> = {}): Probe {
  return { outcome: holds ? 'pass' : 'fail', summary, evidence }
}

/** Errors that another look will not mend. */
const lasting = new Set(['unsupported', 'bad_request', 'machine_died', 'not_found'])

export function unanswered(thrown: unknown): Probe {
  const error = GodHandError.from(thrown)
  return {
    outcome: 'unknown',
    summary: `Could not be checked: ${error.message}`,
    evidence: { error: error.toInfo() },
    final: lasting.has(error.code),
  }
}

/** Long texts as evidence: the beginning, and how much there was. */
export function excerpt(text: string, limit = 2000): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`
}
