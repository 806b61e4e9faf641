import { GodHandError } from '../../../contract/errors.ts'
import type { ExecResult } from '../../../contract/machine.ts'
import type { ExecOptions, Sandbox } from '../../../sandbox/sandbox.ts'

/** Questions to the guest are short: they end in time and answer briefly, or they are errors. */
export const bounds = { timeoutMs: 10_000, maxOutputBytes: 256 * 1024 }

/** Runs a program of the guest's desktop. Its arguments arrive as they are: nothing is read by a shell. */
export function ask(sandbox: Sandbox, argv: string[], options: ExecOptions = {}): Promise<ExecResult> {
  return sandbox.execFile(['env', 'DISPLAY=:0', ...argv], { ...bounds, ...options })
}

/** The same, for programs that must answer. */
export async function answer(sandbox: Sandbox, argv: string[], options: ExecOptions = {}): Promise<string> {
  const result = await ask(sandbox, argv, options)
  if (result.exitCode === 0) return result.stdout
  throw new GodHandError(
    result.exitCode === 127 ? 'unsupported' : 'machine_error',
    `The guest's ${argv[0]} failed: ${result.stderr.trim().slice(0, 500) || `exit code ${result.exitCode}`}`,
  )
}

/** `~/x` is a place in the home folder, which is where commands start. */
export function guestPath(path: string): string {
  if (path === '~') return '.'
  const inHome = path.startsWith('~/') ? path.slice(2) : path
  return inHome.startsWith('/') || inHome.startsWith('./') ? inHome : `./${inHome}`
}
