import { GodHandError } from '../contract/errors.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

/** The guest's clipboard, read and written only when the person asks for it. */

const XCLIP = ['xclip', '-selection', 'clipboard']

export async function readClipboard(sandbox: Pick<Sandbox, 'execFile'>): Promise<{ text: string }> {
  // A program that owns the clipboard and hangs must not hang us.
  const { exitCode, stdout } = await sandbox.execFile([...XCLIP, '-t', 'UTF8_STRING', '-o'], { timeoutMs: 5000 })
  return { text: exitCode === 0 ? stdout : '' } // nothing copied yet, or no text
}

/** xclip stays behind to hand the text out; its output is closed, or the call would wait for it. */
export async function writeClipboard(sandbox: Pick<Sandbox, 'execFile'>, text: string): Promise<void> {
  const { exitCode, stderr } = await sandbox.execFile(['sh', '-c', `${XCLIP.join(' ')} -i >/dev/null 2>&1`], {
    timeoutMs: 5000,
    stdin: text,
  })
  if (exitCode !== 0)
    throw new GodHandError('machine_error', 'The guest’s clipboard could not be written.', { hint: stderr.trim() })
}
