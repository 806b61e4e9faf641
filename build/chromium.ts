import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { GodHandError } from '../main/contract/errors.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const APPS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  if (env.GODHAND_CHROMIUM) return env.GODHAND_CHROMIUM
  const onPath = (env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => NAMES.map((name) => path.join(folder, name)))
  return [...onPath, ...APPS].find(isExecutable) ?? null
}

/** A browser for the end-to-end tests. Installing one changes the system, so that is said first and done only with leave. */
export function ensureChromium(say: (line: string) => void): string {
  const present = findChromium()
  if (present) return present
  const command = ['apt-get', 'install', '--yes', '--no-install-recommends', 'chromium']
  const asRoot = process.getuid?.() === 0
  const hasApt = process.platform === 'linux' && runs('apt-get', ['--version'])
  const prefix = asRoot ? [] : ['sudo', '-n']
  if (hasApt && (asRoot || runs('sudo', ['-n', 'true']))) {
    const [program = '', ...args] = [...prefix, ...command]
    say(`The browser tests need Chromium: installing it with \`${[program, ...args].join(' ')}\`.`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env })
    const installed = findChromium()
    if (installed) return installed
  }
  throw new GodHandError('missing_prerequisite', 'The browser tests need Chromium, and it is not installed.', {
    hint: hasApt
      ? 'Run: sudo apt-get install chromium'
      : 'Install Chromium or Chrome, or set GODHAND_CHROMIUM to its program.',
  })
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const runs = (program: string, args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0
