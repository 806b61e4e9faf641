import { z } from 'zod'

/** What can go wrong, as names a program can switch on. The message and hint are for people. */
export const ErrorCode = z.enum([
  'bad_request', // the input does not fit the schema
  'unauthorized', // no token, or the wrong one
  'not_found', // no such machine, task, snapshot, image or trace
  'conflict', // the thing is in a state that does not allow this
  'unsupported', // this driver, accelerator or host cannot do it
  'capacity', // the host has not enough memory or disk for it
  'disk_full',
  'not_writable', // a folder GodHand must write to
  'engine_running', // another engine owns this data folder
  'engine_unreachable',
  'port_taken',
  'missing_prerequisite', // a package, a binary, the image, a key
  'image_build_failed',
  'machine_died', // QEMU ended when nobody asked it to
  'machine_error', // QEMU or the guest answered with an error
  'timeout',
  'cancelled',
  'corrupt', // a stored file does not match its checksum
  'interrupted', // the engine stopped in the middle of it, or the model's service stayed away
  'internal',
])
export type ErrorCode = z.infer<typeof ErrorCode>

export const ErrorInfo = z.object({
  code: ErrorCode,
  message: z.string(),
  hint: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
})
export type ErrorInfo = z.infer<typeof ErrorInfo>

type ErrorExtras = { hint?: string | undefined; cause?: unknown; details?: Record<string, unknown> | undefined }

/** The one error type that crosses a boundary: `message` says what happened, `hint` what to do about it. */
export class GodHandError extends Error {
  override readonly name = 'GodHandError'
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly details: Record<string, unknown> | undefined

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.code = code
    this.hint = extras.hint
    this.details = extras.details
  }

  toInfo(): ErrorInfo {
    return {
      code: this.code,
      message: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.details === undefined ? {} : { details: this.details }),
    }
  }

  static fromInfo(info: ErrorInfo): GodHandError {
    return new GodHandError(info.code, info.message, { hint: info.hint, details: info.details })
  }

  /** Whatever was thrown, as a GodHandError. Disk errors of the host get a code and a hint of their own. */
  static from(thrown: unknown): GodHandError {
    if (thrown instanceof GodHandError) return thrown
    if (thrown instanceof z.ZodError) return new GodHandError('bad_request', z.prettifyError(thrown), { cause: thrown })
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    const systemCode = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
    if (systemCode === 'ENOSPC')
      return new GodHandError('disk_full', message, {
        cause: thrown,
        hint: 'Free some disk space, or set GODHAND_HOME to a folder on a larger disk.',
      })
    if (systemCode === 'EACCES' || systemCode === 'EROFS' || systemCode === 'EPERM')
      return new GodHandError('not_writable', message, {
        cause: thrown,
        hint: 'Check the permissions of that path, or set GODHAND_HOME to a folder you can write to.',
      })
    return new GodHandError('internal', message, { cause: thrown })
  }
}
