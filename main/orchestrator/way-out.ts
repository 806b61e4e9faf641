import type { EgressAttempt } from '../contract/egress.ts'
import { attachEgress } from '../sandbox/egress/attach.ts'
import { openEgress } from '../sandbox/egress/proxy.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Events } from './events.ts'
import type { LiveMachine } from './live-machine.ts'

export type OnAttempt = (attempt: EgressAttempt) => void

/** Named hosts and nothing else, through a proxy that tells of every attempt. */
export async function openWayOut(live: LiveMachine, sandbox: Sandbox, events: Events): Promise<void> {
  const egress = openEgress({
    allow: live.held ? [] : live.allow,
    onAttempt: (attempt) => {
      live.held?.(attempt)
      events.emit({ type: 'egress', machineId: live.id, attempt })
    },
  })
  try {
    live.egress = await attachEgress(sandbox, egress)
  } catch (error) {
    await sandbox.destroy() // a machine that was promised a way out and has none helps nobody
    throw error
  }
}

/** A machine that is held tells all it tries to reach: through the proxy at once, the rest when it is asked. */
export async function holdBack(live: LiveMachine, sandbox: Sandbox): Promise<void> {
  if (live.held) live.watch = (await sandbox.watchNetwork?.()) ?? null
}

/** What was tried without the proxy, of a machine that is held. */
export async function triedAside({ watch }: LiveMachine): Promise<EgressAttempt[]> {
  const wanted = (await watch?.wanted()) ?? []
  return wanted.map((one, index) => ({
    id: -1 - index, // the proxy counts upwards
    ...one,
    outcome: 'refused',
    reason: 'this machine has no network',
    address: null,
    bytesUp: 0,
    bytesDown: 0,
    durationMs: 0,
  }))
}

/** A machine whose network was held back may now reach what it was allowed to. */
export async function releaseWayOut(live: LiveMachine, events: Events): Promise<void> {
  if (!live.held) return
  live.held = null
  await live.watch?.close()
  live.watch = null
  await live.egress?.close()
  if (live.allow.length > 0) await openWayOut(live, live.awake(), events)
}
