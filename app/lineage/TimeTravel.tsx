import { History } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import type { Snapshot } from '../../main/contract/machine.ts'
import { Button } from '../parts/Button.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { useTitle } from '../parts/useTitle.ts'
import { navigate } from '../route/navigation.ts'
import { useStore } from '../state/store.ts'
import { liveMachines } from '../state/world.ts'
import { text } from '../text.ts'
import { bytes } from '../time/format.ts'
import { Beside } from './Beside.tsx'
import { LineageGraph } from './LineageGraph.tsx'
import { linesOf, placeTree } from './tree.ts'
import { useLineage } from './useLineage.ts'
import { useMeanings } from './useMeanings.ts'

const words = text.lineage

type Props = { taskId: string | null; snapshotId: string | null; against?: string | undefined }

/** All that was kept, as one picture: where machines began, which ways they went, and what can be woken again. */
export function TimeTravel({ taskId, snapshotId, against }: Props) {
  useTitle(words.title)
  const { snapshots, uses, error, refresh } = useLineage()
  const machines = useStore((store) => store.machines)
  const branches = useStore((store) => store.branches)
  const goal = useStore((store) => (taskId ? store.tasks[taskId]?.goal : undefined))
  const shown = useMemo(
    () => (snapshots === null || taskId === null ? (snapshots ?? []) : linesOf(snapshots, taskId)),
    [snapshots, taskId],
  )
  const placed = useMemo(() => {
    const known = new Set(shown.map(({ id }) => id))
    const living = liveMachines(machines).filter((machine) =>
      taskId === null ? true : machine.taskId === taskId || known.has(machine.parentSnapshot ?? ''),
    )
    return placeTree(shown, living, Object.values(branches).flat())
  }, [shown, machines, branches, taskId])
  const { titleOf, endOf } = useMeanings(shown)
  const [picking, setPicking] = useState(false)
  const choose = useCallback(
    (id: string | null) => {
      const compared = picking && id !== null && id !== snapshotId && shown.some((one) => one.id === id)
      navigate(
        compared ? { screen: 'time', taskId, snapshotId, against: id } : { screen: 'time', taskId, snapshotId: id },
        { replace: true },
      )
      setPicking(false)
    },
    [taskId, snapshotId, picking, shown],
  )
  return (
    <div className="flex h-full flex-col">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-5 py-2.5">
        <h1 className="font-semibold">{words.title}</h1>
        {snapshots !== null && (
          <p className="text-sm text-muted tabular-nums">
            {words.lead(words.moments(shown.length), bytes(sizeOf(shown)))}
          </p>
        )}
        <div className="flex-1" />
        {taskId !== null && (
          <>
            <p className="max-w-90 truncate text-sm text-muted">{words.ofTask(goal ?? taskId)}</p>
            <Button size="sm" onClick={() => navigate({ screen: 'time', taskId: null, snapshotId })}>
              {words.all}
            </Button>
          </>
        )}
      </header>
      {error && (
        <div className="p-4">
          <ErrorNote error={error} />
        </div>
      )}
      {snapshots === null ? (
        <p className="p-6 text-muted">{!error && words.loading}</p>
      ) : placed.length === 0 ? (
        <div className="mx-auto w-full max-w-160 px-6 py-16">
          <EmptyState icon={History} {...words.none} />
        </div>
      ) : (
        <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_clamp(18.75rem,26vw,25rem)] max-md:grid-cols-1 max-md:grid-rows-2">
          <section aria-label={words.title} className="relative min-h-0 bg-paper">
            <LineageGraph
              placed={placed}
              titleOf={titleOf}
              endOf={endOf}
              chosen={snapshotId}
              against={against ?? null}
              onChoose={choose}
            />
          </section>
          <aside aria-label={words.panel} className="min-h-0 overflow-y-auto border-l border-line bg-surface">
            <Beside
              key={`${snapshotId} ${against}`}
              taskId={taskId}
              snapshotId={snapshotId}
              against={against}
              shown={shown}
              titleOf={titleOf}
              uses={uses}
              picking={picking}
              onPick={setPicking}
              onChoose={choose}
              onChange={refresh}
            />
          </aside>
        </div>
      )}
    </div>
  )
}

const sizeOf = (snapshots: readonly Snapshot[]): number =>
  snapshots.reduce((sum, { diskBytes, ramBytes }) => sum + diskBytes + ramBytes, 0)
