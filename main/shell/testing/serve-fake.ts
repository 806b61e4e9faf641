import { fakeEngine } from '../../api/testing/fake-engine.ts'
import { GodHandError } from '../../contract/errors.ts'
import { currentPaths } from '../../paths.ts'
import { leaveOnSignal } from '../leave-on-signal.ts'
import { serve } from '../serve.ts'

/** An engine process without machines, for tests that end it from outside. Says "ready" or what went wrong. */
try {
  const served = await serve({ paths: currentPaths(), port: 0, openEngine: async () => fakeEngine() })
  leaveOnSignal(served)
  process.stdout.write('ready\n')
  await served.ended
  process.exit(0)
} catch (thrown) {
  process.stdout.write(`${JSON.stringify(GodHandError.from(thrown).toInfo())}\n`)
  process.exit(1)
}
