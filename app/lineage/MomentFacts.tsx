import type { Snapshot } from '../../main/contract/machine.ts'
import type { SnapshotUse } from '../../main/contract/snapshots.ts'
import { Link } from '../route/Link.tsx'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'
import { bytes, duration, exactMoment } from '../time/format.ts'

const words = text.lineage.facts

export function MomentFacts({ snapshot, use }: { snapshot: Snapshot; use: SnapshotUse | undefined }) {
  const goal = useStore((store) => (snapshot.taskId ? store.tasks[snapshot.taskId]?.goal : undefined))
  const facts: [string, string][] = [
    [words.kept, exactMoment(snapshot.createdAt)],
    [words.paused, duration(snapshot.pauseMs)],
    [words.own, bytes(use?.ownBytes ?? snapshot.diskBytes + snapshot.ramBytes)],
  ]
  if (use && use.sharedBytes > 0) facts.push([words.shared, bytes(use.sharedBytes)])
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="text-right tabular-nums">{value}</dd>
        </div>
      ))}
      {snapshot.taskId && (
        <div className="contents">
          <dt className="text-muted">{words.task}</dt>
          <dd className="truncate text-right">
            <Link
              to={{ screen: 'task', taskId: snapshot.taskId, step: null }}
              className="text-lapis underline underline-offset-2"
            >
              {goal ?? snapshot.taskId}
            </Link>
          </dd>
        </div>
      )}
    </dl>
  )
}
