import type { Snapshot } from '../../contract/machine.ts'
import type { Lineage } from '../bundle/format.ts'
import type { StoreReader } from '../store.ts'

/** The machines of a task, the snapshots taken of them, and what those stand on. */
export function lineageOf(store: StoreReader, taskId: string): Lineage {
  const machines = store.machines
    .ofTask(taskId)
    .map(({ id, name, driver, image, parentSnapshot, createdAt, endedAt }) => ({
      id,
      name,
      driver,
      image,
      parentSnapshot,
      createdAt,
      endedAt,
    }))
  const snapshots = new Map<string, Snapshot>()
  const add = (snapshot: Snapshot | null) => {
    if (!snapshot || snapshots.has(snapshot.id)) return
    snapshots.set(snapshot.id, snapshot)
    if (snapshot.parentId) add(store.snapshots.get(snapshot.parentId))
  }
  for (const snapshot of store.snapshots.ofTask(taskId)) add(snapshot)
  for (const { parentSnapshot } of machines) if (parentSnapshot) add(store.snapshots.get(parentSnapshot))
  const inOrder = [...snapshots.values()].toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
  const branches = store.branches.ofTask(taskId)
  return { machines, snapshots: inOrder, ...(branches.length > 0 && { branches }) }
}
