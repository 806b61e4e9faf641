import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { progressBar } from '../main/shell/progress-bar.mjs'
import { buildUi } from './build-ui.ts'
import { findElectron } from './electron-binary.ts'
import { oncePrepared } from './prepared-stamp.ts'
import { exitWith } from './run-main.ts'

/** npm start: whatever is missing is made, then the app opens in its own window or in the browser. */
export async function main(args: string[]): Promise<void> {
  const { electron, reason } = await readyShell().catch((thrown: unknown) => exitWith(() => Promise.reject(thrown)))
  if (electron !== null) return await exitWith(() => runElectron(electron, args))
  process.stdout.write(`Opening in the browser: ${reason}.\n`)
  const { runBrowserShell } = await import('../main/shell/browser.ts')
  await runBrowserShell(args)
}

async function readyShell(): Promise<{ electron: string | null; reason: string }> {
  const bar = progressBar()
  await buildUi(bar.report).finally(bar.done)
  await oncePrepared(async () => (await import('./prepare.ts')).prepareWithBar(['desktop']))
  const found = findElectron()
  return { electron: found.binary, reason: found.binary === null ? found.reason : '' }
}

async function runElectron(binary: string, args: string[]): Promise<number> {
  const { bundleElectron } = await import('./bundle-electron.ts')
  const window = spawn(binary, [await bundleElectron(), ...args], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => window.kill(signal))
  const [code] = await once(window, 'exit')
  return typeof code === 'number' ? code : 1
}

if (import.meta.main) await main(process.argv.slice(2))
