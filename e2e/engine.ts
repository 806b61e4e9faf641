import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test as base } from '@playwright/test'
import { execa } from 'execa'
import { currentPaths } from '../main/paths.ts'

const root = path.dirname(import.meta.dirname)

/** The engine as `npm start` runs it, in a process of its own on a data folder of its own. */
export class RunningEngine {
  readonly home: string
  #process: ChildProcess | null = null

  constructor(home: string) {
    this.home = home
  }

  get #env() {
    return { ...process.env, GODHAND_HOME: this.home, GODHAND_ASSETS: currentPaths().assets }
  }

  /** Resolves with a link that opens the app in one browser. */
  start(): Promise<string> {
    const child = spawn(process.execPath, ['main/shell/browser.ts', '--no-open'], {
      cwd: root,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#process = child
    return new Promise((resolve, reject) => {
      let said = ''
      child.stdout?.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        const link = /http:\/\/\S+/.exec(said)?.[0]
        if (link) resolve(link)
      })
      child.once('exit', () => reject(new Error(`the engine ended before it was ready: ${said}`)))
    })
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process
    this.#process = null
    if (!child || child.exitCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }

  /** The command line in another process: a look at the machine by another road than the app's. */
  async cli(...args: string[]): Promise<string> {
    const { stdout } = await execa(process.execPath, ['main/shell/cli.ts', ...args], { cwd: root, env: this.#env })
    return stdout
  }

  /** Ids of QEMU processes that belong to this data folder. */
  async machines(): Promise<string[]> {
    const { stdout } = await execa('pgrep', ['-f', `qemu-system.*${this.home}`], { reject: false })
    return stdout.split('\n').filter(Boolean)
  }
}

export const test = base.extend<{ engine: RunningEngine }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from here
  engine: async ({}, use) => {
    const home = await mkdtemp(path.join(os.tmpdir(), 'gh-e2e-'))
    const engine = new RunningEngine(home)
    await use(engine)
    await engine.end('SIGTERM')
    await rm(home, { recursive: true, force: true })
  },
})
export { expect } from '@playwright/test'
