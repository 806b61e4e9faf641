import { constants } from 'node:os'
import type { Served } from './serve.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Machines are ended within seconds; what takes longer than this hangs. */
const PATIENCE_MS = 20_000

/** Ends the process in order when it is asked to; a second time, or when leaving hangs, at once. */
export function leaveOnSignal(served: Served, onLeaving: (signal: string) => void = () => {}): void {
  let leaving = false
  let leavingSince = 0
  for (const signal of signals) {
    process.on(signal, () => {
      const exitCode = 128 + constants.signals[signal]
      // One Ctrl-C can arrive twice: from the terminal, and passed on by npm.
      if (leaving && Date.now() - leavingSince < 1000) return
      if (leaving) process.exit(exitCode)
      leaving = true
      leavingSince = Date.now()
      onLeaving(signal)
      setTimeout(() => process.exit(exitCode), PATIENCE_MS).unref()
      served.close(signal).then(
        () => process.exit(exitCode),
        (error: unknown) => {
          served.log.error({ err: error }, 'could not leave cleanly')
          process.exit(1)
        },
      )
    })
  }
  const crash = (error: unknown) => {
    served.log.fatal({ err: error }, 'unexpected error: the engine is leaving')
    if (leaving) return
    leaving = true
    setTimeout(() => process.exit(1), PATIENCE_MS).unref()
    served.close('unexpected error').finally(() => process.exit(1))
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
}
