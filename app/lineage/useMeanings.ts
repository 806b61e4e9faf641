import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { Snapshot } from '../../main/contract/machine.ts'
import { call } from '../state/engine.ts'
import { change, useStore } from '../state/store.ts'
import { withBranches, withTaskDetail } from '../state/world.ts'
import { text } from '../text.ts'
import type { End } from './TimeNodes.tsx'

const words = text.lineage

/** The newest tasks tell what each of their moments was; of hundreds, the older ones are told when chosen. */
const mostTasks = 12

/** What a moment is called and how it ended: its name, or the step it was kept after. */
export function useMeanings(snapshots: readonly Snapshot[]) {
  const tasks = useStore((store) => store.tasks)
  const steps = useStore((store) => store.steps)
  const branches = useStore((store) => store.branches)
  useStepsOf(snapshots)
  const titles = useMemo(() => {
    const found = new Map<string, string>()
    for (const list of Object.values(steps))
      for (const { index, thought, snapshotBefore, snapshotAfter } of list) {
        if (snapshotAfter) found.set(snapshotAfter, words.afterStep(index + 1, thought))
        if (snapshotBefore && !found.has(snapshotBefore))
          found.set(snapshotBefore, words.beforeStep(index + 1, thought))
      }
    const all = Object.values(branches).flat()
    for (const { fromSnapshot, decisionId } of all)
      if (fromSnapshot !== null)
        found.set(fromSnapshot, words.parting(all.filter((one) => one.decisionId === decisionId).length))
    for (const { id, label } of snapshots) if (label !== null) found.set(id, label)
    return found
  }, [snapshots, steps, branches])
  const ends = useMemo(() => {
    // A line ends at the task's newest moment that nothing of the same task came after.
    const byId = new Map(snapshots.map((snapshot) => [snapshot.id, snapshot]))
    const goesOn = new Set(
      snapshots.flatMap(({ taskId, parentId }) =>
        taskId !== null && parentId !== null && byId.get(parentId)?.taskId === taskId ? [parentId] : [],
      ),
    )
    const last = new Map<string, Snapshot>()
    for (const snapshot of snapshots) {
      const { taskId, id, createdAt } = snapshot
      if (taskId !== null && !goesOn.has(id) && createdAt > (last.get(taskId)?.createdAt ?? ''))
        last.set(taskId, snapshot)
    }
    const found = new Map<string, End>()
    for (const [taskId, { id }] of last) {
      const state = tasks[taskId]?.state
      if (state === 'succeeded') found.set(id, 'won')
      if (state === 'failed' || state === 'stopped') found.set(id, 'lost')
    }
    for (const { endSnapshot, won } of Object.values(branches).flat())
      if (endSnapshot && !won) found.set(endSnapshot, 'lost')
    return found
  }, [snapshots, tasks, branches])
  const titleOf = useCallback((id: string) => titles.get(id) ?? words.unnamed, [titles])
  const endOf = useCallback((id: string): End => ends.get(id) ?? null, [ends])
  return { titleOf, endOf }
}

function useStepsOf(snapshots: readonly Snapshot[]): void {
  const asked = useRef(new Set<string>())
  useEffect(() => {
    const newest = [...snapshots].sort((a, b) => b.createdAt.localeCompare(a.createdAt))
    const wanted = [...new Set(newest.flatMap(({ taskId }) => (taskId === null ? [] : [taskId])))].slice(0, mostTasks)
    for (const taskId of wanted) {
      if (asked.current.has(taskId)) continue
      asked.current.add(taskId)
      call('task.get', { taskId }).then(
        (detail) => change((world) => withTaskDetail(world, detail)),
        () => {}, // without them a moment is merely called one
      )
      call('lineage.get', { taskId }).then(
        ({ branches }) => change((world) => withBranches(world, taskId, branches)),
        () => {}, // without them the tree shows what was kept, and not what was cut
      )
    }
  }, [snapshots])
}
