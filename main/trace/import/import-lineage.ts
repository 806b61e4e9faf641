import type { Branch } from '../../contract/branching.ts'
import type { Step } from '../../contract/task.ts'
import type { Lineage } from '../bundle/format.ts'
import { newId } from '../ids.ts'
import type { Store } from '../store.ts'

/**
 * The rows of snapshots that were taken along and of branches. Names of what is not here become null, because a row may
 * not name what does not exist; the bundle's own lineage remembers them. Within the import's transaction.
 */
export function importLineage(
  store: Store,
  lineage: Lineage,
  taskId: string,
  taken: string[],
): { adapt(step: Step): Step; lineage: Lineage } {
  const here = (id: string | null) => (id !== null && store.snapshots.get(id) ? id : null)
  const picture = (hash: string | null) => (hash !== null && store.frames.get(hash) ? hash : null)
  for (const snapshot of lineage.snapshots) {
    if (!taken.includes(snapshot.id)) continue
    const { id, label, image, createdAt } = snapshot
    const parentId = here(snapshot.parentId)
    store.snapshots.begin({ id, parentId, machineId: null, taskId, label, image, pinned: false, createdAt })
    store.snapshots.finish(id, { ...snapshot, frame: picture(snapshot.frame) })
  }
  const branches = lineage.branches ?? []
  // A trace that comes in twice has the same branches twice, and each needs a name of its own.
  const names = new Map(branches.map(({ id }) => [id, store.branches.get(id) ? newId('branch') : id]))
  const inserted = new Set<string>()
  for (const branch of branches) {
    const parentId = branch.parentId !== null && inserted.has(branch.parentId) ? branch.parentId : null
    store.branches.insert({
      ...branch,
      id: names.get(branch.id) ?? branch.id,
      taskId,
      parentId: parentId && (names.get(parentId) ?? null),
      fromSnapshot: here(branch.fromSnapshot),
      endSnapshot: here(branch.endSnapshot),
      machineId: null,
      frame: picture(branch.frame),
    } satisfies Branch)
    inserted.add(branch.id)
  }
  const renamed = (id: string) => names.get(id) ?? id
  return {
    // What is kept of the bundle speaks of the steps as they are called here.
    lineage: {
      ...lineage,
      ...(lineage.branches && {
        branches: branches.map((branch) => ({
          ...branch,
          id: renamed(branch.id),
          taskId,
          parentId: branch.parentId && renamed(branch.parentId),
        })),
      }),
    },
    adapt: ({ branchId, ...step }) => ({
      ...step,
      taskId,
      snapshotBefore: here(step.snapshotBefore),
      snapshotAfter: here(step.snapshotAfter),
      ...(branchId !== undefined && { branchId: renamed(branchId) }),
    }),
  }
}
