import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../build/chromium.ts'
import type { Lab } from './lab.ts'

const root = path.resolve(import.meta.dirname, '../..')
const LIMIT_MS = 120_000

/** `npm start` until a browser that is open has painted the page it leads to, and until the engine has answered there. */
export async function measureStart(lab: Lab): Promise<void> {
  const executablePath = findChromium()
  if (executablePath === null) return lab.say('no Chromium here: how long a start takes is not measured')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    lab.say('first start: what is missing is made')
    await start(lab, browser)
    for (let round = 1; round <= lab.repeats; round++) {
      lab.say(`start ${round}/${lab.repeats}`)
      const { paintedMs, answeredMs } = await start(lab, browser)
      lab.samples.add('first-paint', paintedMs)
      lab.samples.add('start-answered', answeredMs)
    }
  } finally {
    await browser.close()
  }
}

async function start(lab: Lab, browser: Browser): Promise<{ paintedMs: number; answeredMs: number }> {
  const window = await browser.newContext()
  const page = await window.newPage()
  const began = Date.now()
  const app = startApp(path.join(lab.paths.home, 'started'), lab.paths.assets)
  try {
    await page.goto(await linkOf(app), { waitUntil: 'commit' })
    const painted = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) => {
            for (const { name, startTime } of list.getEntries())
              if (name === 'first-contentful-paint') resolve(performance.timeOrigin + startTime)
          }).observe({ type: 'paint', buffered: true })
        }),
    )
    await page.getByText(/A fresh desktop is ready|Getting your machine ready/).waitFor({ timeout: LIMIT_MS })
    return { paintedMs: painted - began, answeredMs: Date.now() - began }
  } finally {
    await window.close()
    if (app.exitCode === null) {
      process.kill(-(app.pid ?? 0), 'SIGTERM')
      await once(app, 'exit')
    }
  }
}

/** In a group of its own, so that npm and what it started end together; in the browser, wherever there is a window too. */
function startApp(home: string, assets: string): ChildProcess {
  const env = {
    ...process.env,
    GODHAND_HOME: home,
    GODHAND_ASSETS: assets,
    ELECTRON_OVERRIDE_DIST_PATH: path.join(home, 'no-electron'),
  }
  const options = { cwd: root, env, detached: true, shell: process.platform === 'win32' }
  return spawn('npm', ['start', '--', '--no-open'], { ...options, stdio: ['ignore', 'pipe', 'ignore'] })
}

function linkOf(app: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    app.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const link = /http:\/\/\S+/.exec(said)?.[0]
      if (link) resolve(link)
    })
    app.once('exit', () => reject(new Error(`npm start ended before there was a page: ${said}`)))
  })
}
