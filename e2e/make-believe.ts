import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { test as base } from '@playwright/test'

const root = path.dirname(import.meta.dirname)

/** The UI's make-believe engine: sample data, no machine. For tests of the page alone, which real machines would only slow. */
export async function startMakeBelieve(...args: string[]): Promise<{ url: string; end: () => void }> {
  const child: ChildProcess = spawn(process.execPath, ['app/dev/fake-engine.ts', '--port', '0', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = /http:\/\/\S+/.exec(said)?.[0]
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(`the make-believe engine ended: ${said}`)))
  })
  return { url, end: () => void child.kill('SIGKILL') }
}

/** One for all tests of a worker. */
export const test = base.extend<object, { makeBelieve: string; emptyMakeBelieve: string }>({
  makeBelieve: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from here
    async ({}, use) => {
      const engine = await startMakeBelieve('--pace', '400')
      await use(engine.url)
      engine.end()
    },
    { scope: 'worker' },
  ],
  emptyMakeBelieve: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from here
    async ({}, use) => {
      const engine = await startMakeBelieve('--empty', '--readiness', 'preparing')
      await use(engine.url)
      engine.end()
    },
    { scope: 'worker' },
  ],
})
export { expect } from '@playwright/test'
