import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** How many tests of a suite did what. */
export type Tally = { passed: number; failed: number; skipped: number }

const VitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number().default(0),
})

const PlaywrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
})

/**
 * Reads a JSON report of vitest or Playwright. A suite that ended badly without a failed test (a file that could not be
 * loaded, a report that is not there) counts as one failure, so that it cannot pass unseen.
 */
export function tallyOf(reportFile: string, exitedWell: boolean): Tally {
  const tally = readTally(reportFile)
  if (!exitedWell && tally.failed === 0) return { ...tally, failed: 1 }
  return tally
}

function readTally(reportFile: string): Tally {
  let report: unknown
  try {
    report = JSON.parse(readFileSync(reportFile, 'utf8'))
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
  const vitest = VitestReport.safeParse(report).data
  if (vitest) return { passed: vitest.numPassedTests, failed: vitest.numFailedTests, skipped: vitest.numPendingTests }
  const playwright = PlaywrightReport.safeParse(report).data
  if (!playwright) return { passed: 0, failed: 1, skipped: 0 }
  const { expected, unexpected, flaky, skipped } = playwright.stats
  return { passed: expected + flaky, failed: unexpected, skipped }
}

export function sum(tallies: Tally[]): Tally {
  return tallies.reduce(
    (total, one) => ({
      passed: total.passed + one.passed,
      failed: total.failed + one.failed,
      skipped: total.skipped + one.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  )
}
