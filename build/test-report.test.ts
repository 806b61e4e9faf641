import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sum, tallyOf } from './test-report.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function report(content: unknown): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'godhand-report-'))
  folders.push(folder)
  const file = path.join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(content))
  return file
}

const vitest = { numPassedTests: 12, numFailedTests: 0, numPendingTests: 1 }

describe('the count of tests', () => {
  it('adds up the suites of both test runners', () => {
    const playwright = { stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 } }
    expect(sum([tallyOf(report(vitest), true), tallyOf(report(playwright), false)])).toEqual({
      passed: 16,
      failed: 1,
      skipped: 3,
    })
  })

  it('has a failure for a suite that ended badly without a failed test', () => {
    expect(tallyOf(report(vitest), false)).toMatchObject({ passed: 12, failed: 1 })
  })

  it('has a failure for a report that is not there or makes no sense', () => {
    expect(tallyOf('/nowhere/report.json', true).failed).toBe(1)
    expect(tallyOf(report({}), true).failed).toBe(1)
  })
})
