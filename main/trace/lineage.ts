import type { Lineage } from '../contract/branching.ts'
import { GodHandError } from '../contract/errors.ts'
import type { StoreReader } from './store.ts'

/** Everything a task's tree is made of. */
export function lineageOf(store: StoreReader, taskId: string): Lineage {
  const task = store.tasks.get(taskId)
  if (!task)
    throw new GodHandError('not_found', `There is no task ${taskId}.`, { hint: 'List them: godhand trace list' })
  const fromSnapshot = store.tasks.request(taskId)?.fromSnapshot ?? null
  const snapshots = store.snapshots.ofTask(taskId)
  const root = fromSnapshot === null ? null : store.snapshots.get(fromSnapshot)
  return {
    taskId,
    fromSnapshot,
    machineId: task.machineId,
    machines: store.machines.ofTask(taskId).map(({ id, name, parentSnapshot, createdAt, endedAt, endReason }) => ({
      id,
      name,
      parentSnapshot,
      createdAt,
      endedAt,
      endReason,
    })),
    snapshots: root && !snapshots.some(({ id }) => id === root.id) ? [root, ...snapshots] : snapshots,
    branches: store.branches.ofTask(taskId),
    steps: store.steps.places(taskId),
  }
}
