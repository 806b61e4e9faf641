import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { GodHandError } from '../main/contract/errors.ts'
import { homeFolder } from '../main/paths.ts'
import { printError } from '../main/shell/print-error.ts'
import { progressBar } from '../main/shell/progress-bar.mjs'
import { buildUi } from './build-ui.ts'
import { ensureChromium } from './chromium.ts'
import { prepareWithBar } from './prepare.ts'
import { root } from './root.ts'
import { exitWith } from './run-main.ts'
import { sum, type Tally, tallyOf } from './test-report.ts'

const bin = (name: string) => path.join(root, 'node_modules', '.bin', name)
const say = (text: string) => process.stdout.write(`${text}\n`)

/**
 * npm test: style, types and the direction of imports; unit tests; tests on real machines; the app in a real browser.
 * `npm test -- --quick` leaves out what needs a machine.
 */
export async function main(args: string[]): Promise<void> {
  await exitWith(async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'godhand-test-'))
    // QEMU and the image come from the usual folder, so that what is built here is there for `npm start`.
    process.env.GODHAND_ASSETS ||= homeFolder()
    process.env.GODHAND_HOME = home
    process.env.GODHAND_TEST_HOME = home
    try {
      const tallies = args.includes('--quick') ? await quickSuites(home) : await allSuites(home)
      const { passed, failed, skipped } = sum(tallies)
      if (skipped > 0) say(`\n(${skipped} skipped: they need another platform or setting)`)
      say(`\n${passed} passed, ${failed} failed`)
      return failed === 0 ? 0 : 1
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })
}

async function quickSuites(home: string): Promise<Tally[]> {
  return [await check(), await vitest('unit', home)]
}

async function allSuites(home: string): Promise<Tally[]> {
  // First of all, because unit tests that look at pages leave themselves out where there is no browser.
  const browser = await guarded(async () => {
    process.env.GODHAND_CHROMIUM = ensureChromium(say)
    return { passed: 0, failed: 0, skipped: 0 }
  })
  const tallies = [browser, ...(await quickSuites(home))]
  tallies.push(
    await guarded(async () => {
      say('\n— Preparing QEMU and the guest image')
      await prepareWithBar(['desktop'])
      return await vitest('machine', home)
    }),
  )
  if (process.env.GODHAND_CHROMIUM)
    tallies.push(
      await guarded(async () => {
        const bar = progressBar()
        await buildUi(bar.report).finally(bar.done)
        return await playwright(home)
      }),
    )
  return tallies
}

/** A suite that can't even begin is a failure of its own; the others still have their say. */
async function guarded(suite: () => Promise<Tally>): Promise<Tally> {
  try {
    return await suite()
  } catch (thrown) {
    const error = GodHandError.from(thrown)
    if (error.code === 'cancelled') throw error
    printError(error)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

async function check(): Promise<Tally> {
  say('— Style, types and the direction of imports')
  const results = [
    await run(bin('biome'), ['check', '.']),
    await run(bin('tsc'), ['--noEmit', '-p', 'tsconfig.json']),
    await run(process.execPath, ['build/check-imports.ts']),
  ]
  return { passed: 0, failed: results.filter((good) => !good).length, skipped: 0 }
}

async function vitest(project: 'unit' | 'machine', home: string): Promise<Tally> {
  say(`\n— ${project === 'unit' ? 'Unit tests' : 'Tests on real machines'}`)
  const report = path.join(home, `${project}.json`)
  const args = ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return tallyOf(report, await run(process.execPath, ['node_modules/vitest/vitest.mjs', ...args]))
}

async function playwright(home: string): Promise<Tally> {
  say('\n— The app in a real browser')
  const report = path.join(home, 'e2e.json')
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json']
  return tallyOf(report, await run(process.execPath, args, env))
}

/** True when the program ended with 0. Ctrl-C ends the whole run. */
function run(program: string, args: string[], env: Record<string, string> = {}): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let stopped = false
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    })
    const onSignal = () => {
      stopped = true
      child.kill('SIGINT')
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
    child.once('error', reject)
    child.once('exit', (code) => {
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
      if (stopped) reject(new GodHandError('cancelled', 'Stopped.'))
      else resolve(code === 0)
    })
  })
}

if (import.meta.main) await main(process.argv.slice(2))
