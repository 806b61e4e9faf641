import { setTimeout as sleep } from 'node:timers/promises'
import type { Assertion, Verdict } from '../../contract/assertion.ts'
import { GodHandError } from '../../contract/errors.ts'
import { browser } from './checks/browser.ts'
import { clipboard } from './checks/clipboard.ts'
import { combine } from './checks/combine.ts'
import { command } from './checks/command.ts'
import { fileContent, fileExists, fileHash } from './checks/file.ts'
import { processRunning } from './checks/process.ts'
import { regionDiffers, regionEquals, screenChanged } from './checks/region.ts'
import { textGone, textVisible } from './checks/text.ts'
import { windowActive, windowOpen } from './checks/window.ts'
import { type Look, lookNow, type Probe, unanswered, type VerifyContext } from './probe.ts'

export type CheckOptions = {
  /** How long it may take until the statement is true. At least one look is taken, and what is true then is confirmed. */
  timeoutMs?: number
  /** So many looks in a row must find it true. By default two for what is on the screen, one for everything else. */
  stableSamples?: number
  signal?: AbortSignal
}

const firstPauseMs = 60
const longestPauseMs = 1000

/** Looks again and again until the statement is steadily true, or time is up. */
export async function checkAssertion(
  context: VerifyContext,
  assertion: Assertion,
  options: CheckOptions = {},
): Promise<Verdict> {
  const { timeoutMs = 5000, signal } = options
  const wanted = options.stableSamples ?? (looksAtScreen(assertion) ? 2 : 1)
  const started = performance.now()
  const tookMs = () => Math.round(performance.now() - started)
  let passes = 0
  let inRow = 0
  for (let samples = 1; ; samples++) {
    if (signal?.aborted) throw new GodHandError('cancelled', 'The check was stopped.')
    const probe = await evaluate(lookNow(context, timeoutMs - tookMs(), signal), assertion)
    inRow = probe.outcome === 'pass' ? inRow + 1 : 0
    if (probe.outcome === 'pass') passes++
    if (inRow >= wanted) return { pass: true, ...said(probe), tookMs: tookMs(), samples }
    // What was so in the last look in time gets the looks it lacks, however slow they are: a slow host refutes nothing.
    if ((tookMs() >= timeoutMs && inRow === 0) || probe.final) {
      const unsteady = passes > 0 ? ` It was so in ${passes} of ${samples} looks, but not steadily.` : ''
      const { summary, evidence } = said(probe)
      return { pass: false, summary: summary + unsteady, evidence, tookMs: tookMs(), samples }
    }
    const growing = Math.min(longestPauseMs, firstPauseMs * 1.4 ** (samples - 1))
    const pause = inRow > 0 ? firstPauseMs : Math.min(growing, Math.max(1, timeoutMs - tookMs()))
    await sleep(pause, undefined, signal ? { signal } : {}).catch(() => {})
  }
}

function said({ summary, evidence }: Probe): Pick<Verdict, 'summary' | 'evidence'> {
  return { summary, evidence }
}

async function evaluate(look: Look, assertion: Assertion): Promise<Probe> {
  try {
    return await probe(look, assertion)
  } catch (thrown) {
    return unanswered(thrown)
  }
}

function probe(look: Look, assertion: Assertion): Promise<Probe> {
  switch (assertion.check) {
    case 'text_visible':
      return textVisible(look, assertion)
    case 'text_gone':
      return textGone(look, assertion)
    case 'region_equals':
      return regionEquals(look, assertion)
    case 'region_differs':
      return regionDiffers(look, assertion)
    case 'screen_changed':
      return screenChanged(look, assertion)
    case 'window_open':
      return windowOpen(look, assertion)
    case 'window_active':
      return windowActive(look, assertion)
    case 'file_exists':
      return fileExists(look, assertion)
    case 'file_content':
      return fileContent(look, assertion)
    case 'file_hash':
      return fileHash(look, assertion)
    case 'process_running':
      return processRunning(look, assertion)
    case 'command':
      return command(look, assertion)
    case 'browser':
      return browser(look, assertion)
    case 'clipboard':
      return clipboard(look, assertion)
    case 'all':
    case 'any':
    case 'not':
      return combine(look, assertion, evaluate)
  }
}

function looksAtScreen(assertion: Assertion): boolean {
  switch (assertion.check) {
    case 'all':
    case 'any':
      return assertion.of.some(looksAtScreen)
    case 'not':
      return looksAtScreen(assertion.of)
    default:
      return /^(text|region|screen|window)_/.test(assertion.check)
  }
}
