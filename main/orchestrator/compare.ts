import { captureState, diffStates, type GuestState } from '../agent/verify/state-diff.ts'
import type { StateDiff } from '../contract/state-diff.ts'
import type { Machines } from './machines.ts'

/** What differs between two snapshots. One machine at a time: two would need room for both. */
export async function compareSnapshots(machines: Machines, from: string, to: string): Promise<StateDiff> {
  const before = await stateIn(machines, from)
  return diffStates(before, await stateIn(machines, to))
}

async function stateIn(machines: Machines, fromSnapshot: string): Promise<GuestState> {
  const { image } = machines.snapshotOf(fromSnapshot)
  const { id } = await machines.create({ image, name: 'comparing', fromSnapshot, boot: false, allow: [] })
  try {
    return await machines.use(id, captureState)
  } finally {
    await machines.destroy(id).catch(() => {}) // it may have died by itself
  }
}
