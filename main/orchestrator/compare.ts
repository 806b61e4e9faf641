import { captureState, diffStates, type GuestState } from '../agent/verify/state-diff.ts'
import type { StateDiff } from '../contract/state-diff.ts'
import type { Machines } from './machines.ts'

/** What differs in the second; null is a fresh desktop. One machine at a time: two would need room for both. */
export async function compareSnapshots(machines: Machines, from: string | null, to: string): Promise<StateDiff> {
  const { image } = machines.snapshotOf(to)
  const before = from === null ? await stateOf(machines, { image }) : await stateIn(machines, from)
  return diffStates(before, await stateIn(machines, to))
}

export function stateIn(machines: Machines, fromSnapshot: string): Promise<GuestState> {
  return stateOf(machines, { image: machines.snapshotOf(fromSnapshot).image, fromSnapshot })
}

/** A machine of its own is started for a moment. */
async function stateOf(machines: Machines, from: { image: string; fromSnapshot?: string }): Promise<GuestState> {
  const { id } = await machines.create({ ...from, name: 'comparing', boot: false, allow: [] })
  try {
    return await machines.use(id, captureState)
  } finally {
    await machines.destroy(id).catch(() => {}) // it may have died by itself
  }
}
