import type { ErrorCode } from '../contract/errors.ts'
import type { TaskState } from '../contract/task.ts'

/**
 *  0    done
 *  1    it failed: the task did not reach its goal, the machine or the engine answered with an error
 *  2    the command was not understood: unknown option, missing or wrong value
 *  3    there is no such machine, task, snapshot or image
 *  4    this host is not ready for it: something missing, no space, not writable, engine not reachable
 *  130  stopped by the person
 *  `vm exec` ends with the exit code of the command in the guest, or 255 when that did not end by itself.
 */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notReady: 4,
  stopped: 130,
  noExitCode: 255,
} as const

const ofError: Partial<Record<ErrorCode, number>> = {
  bad_request: exitCodes.usage,
  not_found: exitCodes.notFound,
  cancelled: exitCodes.stopped,
  capacity: exitCodes.notReady,
  disk_full: exitCodes.notReady,
  not_writable: exitCodes.notReady,
  engine_running: exitCodes.notReady,
  engine_unreachable: exitCodes.notReady,
  port_taken: exitCodes.notReady,
  missing_prerequisite: exitCodes.notReady,
  unsupported: exitCodes.notReady,
}

export function exitCodeOfError(code: ErrorCode): number {
  return ofError[code] ?? exitCodes.failed
}

export function exitCodeOfTask(state: TaskState): number {
  if (state === 'succeeded') return exitCodes.ok
  return state === 'stopped' ? exitCodes.stopped : exitCodes.failed
}
