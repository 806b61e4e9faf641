import type { Act } from '../contract/action.ts'
import { GodHandError } from '../contract/errors.ts'
import type { ActResult } from '../contract/task.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { crop } from '../screen/frames.ts'
import { performAction } from '../screen/input.ts'
import type { FrameKeeper } from './frame-keeper.ts'

/** More than this of a command's output helps nobody, and a model pays for every word. */
const OUTPUT_LIMIT = 100_000
const FILE_LIMIT = 1_000_000

/** Does one thing. What goes wrong in doing it is a result; only the end of the machine or of the task is thrown. */
export async function perform(
  sandbox: Sandbox,
  act: Act,
  frames: FrameKeeper,
  signal: AbortSignal,
): Promise<ActResult> {
  try {
    return { ok: true, ...(await doIt(sandbox, act, frames, signal)) }
  } catch (thrown) {
    const error = GodHandError.from(thrown)
    if (signal.aborted || error.code === 'machine_died') throw error
    return { ok: false, error: error.toInfo() }
  }
}

async function doIt(
  sandbox: Sandbox,
  act: Act,
  frames: FrameKeeper,
  signal: AbortSignal,
): Promise<{ text?: string; frame?: string }> {
  switch (act.type) {
    case 'screenshot':
      return { frame: await frames.keep(await sandbox.capture()) }
    case 'zoom':
      return { frame: await frames.keep(crop(await sandbox.capture(), act.region)) }
    case 'exec': {
      const limits = { timeoutMs: act.timeoutSeconds * 1000, maxOutputBytes: OUTPUT_LIMIT, signal }
      const { exitCode, stdout, stderr, truncated } = await sandbox.exec(act.command, limits)
      const parts = [stdout, stderr && `stderr: ${stderr}`, truncated && '(cut: too long)', `exit code ${exitCode}`]
      return { text: parts.filter(Boolean).join('\n') }
    }
    case 'read_file':
      return { text: (await sandbox.readFile(act.path, FILE_LIMIT)).toString('utf8') }
    case 'write_file':
      await sandbox.writeFile(act.path, Buffer.from(act.text))
      return {}
    case 'checkpoint':
    case 'rollback':
    case 'branch':
      throw new GodHandError('unsupported', 'Machines cannot be kept or branched here.')
    default:
      return performAction(sandbox, act, signal)
  }
}
