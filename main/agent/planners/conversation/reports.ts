import type { CheckedAssertion } from '../../../contract/assertion.ts'
import type { Settle } from '../../../contract/task.ts'
import { whereOn } from '../../verify/in-words.ts'
import { clip } from './untrusted.ts'

/** What came of things, in words for a model. */

type Size = { width: number; height: number }

export function describeCheck({ verdict }: CheckedAssertion): { ok: boolean; text: string; output?: string } {
  const output = `${verdict.summary}\n${clip(JSON.stringify(verdict.evidence), 2000)}`
  return { ok: verdict.pass, text: verdict.pass ? 'It holds.' : 'It does not hold.', output }
}

/** What came of an expectation in words: `checks` are of what it quoted. */
export function describeExpectation(
  checks: CheckedAssertion[],
  change = '',
): { ok: boolean; text: string; output?: string } {
  if (checks.length === 0) return { ok: true, text: `Not checked by a mechanism: look for yourself. ${change}`.trim() }
  const missing = checks.filter(({ verdict }) => !verdict.pass)
  if (missing.length === 0)
    return { ok: true, text: 'What you quoted is on the screen. The rest of it no mechanism has checked.' }
  return {
    ok: false,
    text: 'What you quoted is not on the screen.',
    output: missing.map(({ verdict }) => verdict.summary).join('\n'),
  }
}

export function describeRefusedFinish(checks: CheckedAssertion[]): [text: string, output: string] {
  const failed = checks.filter(({ verdict }) => !verdict.pass)
  const lines = failed.map(
    ({ assertion, verdict }) =>
      `${clip(JSON.stringify(assertion), 500)}: ${verdict.summary} ${clip(JSON.stringify(verdict.evidence), 1000)}`,
  )
  const count = failed.length === 1 ? 'One check does' : `${failed.length} checks do`
  return [`Not accepted: the task is not done. ${count} not hold.`, lines.join('\n')]
}

export function describeSettle(settle: Settle | null, sameAsShown: boolean, screen: Size): string {
  if (sameAsShown) return 'The screen looks as it did before.'
  if (!settle) return 'The screen now:'
  if (!settle.settled) return 'The screen was still moving when this picture was taken:'
  return settle.changed ? `The screen changed${whereOn(settle.boxes, screen)}, and came to rest:` : 'The screen now:'
}

/** As `cat -n` has it. Lines count from 1, and -1 is the last one. */
export function numbered(text: string, range?: [number, number]): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const from = Math.max(1, range?.[0] ?? 1)
  const to = range === undefined || range[1] === -1 ? lines.length : Math.min(lines.length, range[1])
  return lines
    .slice(from - 1, to)
    .map((line, index) => `${String(from + index).padStart(6)}\t${line}`)
    .join('\n')
}
