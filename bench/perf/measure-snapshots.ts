import type { SnapshotFiles } from '../../main/sandbox/sandbox.ts'
import { CHANGE, type Lab } from './lab.ts'

const DEPTHS: Record<number, 1 | 2 | 5> = { 1: 1, 2: 2, 5: 5 }
const DEEPEST = 5

/** Chains of machines, each restored from the snapshot of the one before, changed, and snapshotted in turn. */
export async function measureSnapshots(lab: Lab): Promise<void> {
  for (let round = 1; round <= lab.repeats; round++) {
    let last: SnapshotFiles | null = null
    for (let depth = 1; depth <= DEEPEST; depth++) {
      lab.say(`snapshots ${round}/${lab.repeats}, depth ${depth}`)
      const machine = await lab.create(last ? { fromSnapshot: last } : {})
      const { exitCode } = await machine.exec(CHANGE)
      if (exitCode !== 0) throw new Error('The change before a snapshot failed in the guest.')
      last = await lab.newSnapshotFolder()
      const { pauseMs, totalMs, diskBytes, ramBytes } = await machine.snapshot(last)
      await machine.destroy()
      const measured = DEPTHS[depth]
      if (!measured) continue
      lab.samples.add(`snapshot-pause-${measured}`, pauseMs)
      lab.samples.add(`snapshot-total-${measured}`, totalMs)
      lab.samples.add('snapshot-disk', diskBytes + ramBytes)
      if (measured !== 2) await measureRestore(lab, last, measured)
    }
    await lab.removeSnapshots()
  }
}

async function measureRestore(lab: Lab, fromSnapshot: SnapshotFiles, depth: 1 | 5): Promise<void> {
  const restored = await lab.samples.time(`restore-${depth}`, async () => {
    const machine = await lab.create({ fromSnapshot })
    await machine.capture()
    return machine
  })
  await restored.destroy()
}
