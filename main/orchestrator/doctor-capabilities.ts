import type { Capabilities } from '../contract/machine.ts'
import type { DoctorCheck } from '../contract/rpc.ts'

const ABILITIES = {
  exec: 'commands and files',
  ramSnapshot: 'snapshots with memory',
  diskSnapshot: 'snapshots of the disk',
  fork: 'forks of a running machine',
  pause: 'pause',
  liveView: 'live view',
} as const satisfies Partial<Record<keyof Capabilities, string>>

const abilities: (keyof typeof ABILITIES)[] = ['exec', 'ramSnapshot', 'diskSnapshot', 'fork', 'pause', 'liveView']

/** What machines can do with this driver and accelerator, so that nobody looks in vain for what they cannot. */
export function describeCapabilities(can: Capabilities): DoctorCheck {
  const named = (held: boolean) => abilities.filter((each) => can[each] === held).map((each) => ABILITIES[each])
  const missing = named(false)
  const who = can.accelerator ? `${can.driver} with ${can.accelerator}` : can.driver
  const check = { name: 'capabilities', details: { ...can } }
  if (missing.length === 0) return { ...check, status: 'ok', summary: `${who}: ${named(true).join(', ')}` }
  return {
    ...check,
    status: 'warning',
    summary: `${who}: ${named(true).join(', ')}. Not here: ${missing.join(', ')}`,
    ...(can.accelerator === 'whpx' ? { hint: 'QEMU cannot save memory under WHPX.' } : {}),
  }
}
