import { setTimeout } from 'node:timers/promises'
import { ExecaError, execa } from 'execa'
import { GodHandError } from '../main/contract/errors.ts'
import type { OnProgress } from '../main/contract/progress.ts'

type RunOptions = {
  env?: Record<string, string>
  cwd?: string
  signal?: AbortSignal | undefined
  /** With both given, apt's own progress is asked for and passed on under this name. */
  step?: string
  onProgress?: OnProgress | undefined
}

const LOCKED = /Could not get lock|Unable to lock/
const LOCK_WAIT_MS = 120_000

/**
 * Runs one of the packaging tools, and says in a person's words why it could not. Waits its turn when another one holds
 * apt's lock: a second start, or what is left of one that was killed.
 */
export async function runTool(tool: string, args: string[], options: RunOptions = {}): Promise<{ stdout: string }> {
  for (const started = Date.now(); ; ) {
    try {
      return await runOnce(tool, args, options)
    } catch (error) {
      const locked = error instanceof GodHandError && LOCKED.test(String(error.details?.output))
      if (!locked || Date.now() - started > LOCK_WAIT_MS) throw error
      await setTimeout(500)
      if (options.signal?.aborted) throw error
    }
  }
}

async function runOnce(tool: string, args: string[], options: RunOptions): Promise<{ stdout: string }> {
  const { step, onProgress, signal } = options
  try {
    const running = execa(tool, onProgress && step ? [...args, '-o', 'APT::Status-Fd=3'] : args, {
      env: { ...options.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(signal === undefined ? {} : { cancelSignal: signal }),
    })
    if (onProgress && step) {
      let reported = -1
      for await (const line of running.iterable({ from: 'fd3' })) {
        const percent = downloadPercent(line)
        if (percent === undefined || percent === reported) continue
        reported = percent
        onProgress({ step, done: percent, total: 100 })
      }
    }
    return { stdout: (await running).stdout }
  } catch (error) {
    throw explain(tool, args, error)
  }
}

/** apt's status lines: `dlstatus:<item>:<percent>:<text>`. */
export function downloadPercent(line: string): number | undefined {
  const percent = /^dlstatus:[^:]*:([0-9.]+):/.exec(line)?.[1]
  return percent === undefined ? undefined : Math.floor(Number(percent))
}

function explain(tool: string, args: string[], error: unknown): GodHandError {
  if (!(error instanceof ExecaError)) return GodHandError.from(error)
  if (error.isCanceled) return new GodHandError('cancelled', `${tool} was stopped.`, { cause: error })
  if (error.code === 'ENOENT')
    return new GodHandError('missing_prerequisite', `${tool} is not on this system.`, {
      cause: error,
      hint: 'GodHand builds its machine from Debian packages: use a Debian-based system, or install apt and dpkg.',
    })
  const output = String(error.stderr ?? '').trim()
  const complaints = output.split('\n').filter((line) => line.startsWith('E: '))
  const message = `${tool} ${args[0] ?? ''} failed: ${(complaints[0] ?? output.split('\n').at(-1) ?? '').replace(/^E: /, '')}`
  return new GodHandError(codeOf(output), message, { cause: error, hint: hintFor(output), details: { output } })
}

function codeOf(output: string) {
  return /No space left on device/.test(output) ? 'disk_full' : 'missing_prerequisite'
}

function hintFor(output: string): string {
  if (/No space left on device|not enough free space/i.test(output))
    return 'Free some disk space, or set GODHAND_HOME to a folder on a larger disk.'
  if (/NO_PUBKEY|not signed/.test(output))
    return 'The system’s Debian keys are too old: sudo apt-get install debian-archive-keyring'
  if (LOCKED.test(output)) return 'Another GodHand is fetching packages; try again when it is done.'
  return 'Check the network connection and that “apt-get update” works on this system, then try again.'
}
