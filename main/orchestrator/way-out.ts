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

/** A machine whose network was held back may now reach what it was allowed to. */
export async function releaseWayOut(live: LiveMachine, events: Events): Promise<void> {
  if (!live.held) return
  live.held = null
  await live.egress?.close()
  if (live.allow.length > 0) await openWayOut(live, live.awake(), events)
}
