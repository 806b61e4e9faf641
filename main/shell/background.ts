import { GodHandError } from '../contract/errors.ts'
import { currentPaths } from '../paths.ts'
import { leaveOnSignal } from './leave-on-signal.ts'
import { portFrom } from './port.ts'
import { serve } from './serve.ts'

/** The engine a command starts for itself: no window, and it leaves when there is nothing to do. */
const idleMinutes = Number(process.env.GODHAND_IDLE_MINUTES ?? 10)

/** Tells the command that waits, which then lets go of this process. */
function tell(message: { ready: true } | { error: unknown }): Promise<void> {
  return new Promise((resolve) => {
    const send = process.send?.bind(process)
    if (!send || !process.connected) return resolve()
    send(message, () => {
      process.disconnect?.()
      resolve()
    })
  })
}

try {
  const served = await serve({ paths: currentPaths(), port: portFrom(undefined), idleMs: idleMinutes * 60_000 })
  leaveOnSignal(served)
  await tell({ ready: true })
  await served.ended
  process.exit(0)
} catch (thrown) {
  console.error(thrown)
  await tell({ error: GodHandError.from(thrown).toInfo() })
  process.exit(1)
}
