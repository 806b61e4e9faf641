import { Play } from 'lucide-react'
import type { Snapshot } from '../../main/contract/machine.ts'
import { Button } from '../parts/Button.tsx'
import { frameUrl } from '../state/engine.ts'
import { text } from '../text.ts'
import { ago, bytes } from '../time/format.ts'
import { SnapshotBudget } from './SnapshotBudget.tsx'
import { useMachineCommands } from './useMachineCommands.ts'

const words = text.machines

type Props = { snapshots: readonly Snapshot[]; now: number; onChange: () => void }

export function SnapshotList({ snapshots, now, onChange }: Props) {
  return (
    <section aria-labelledby="snapshots">
      <div className="mb-2.5 flex flex-wrap items-end justify-between gap-x-6">
        <h2 id="snapshots" className="text-lg font-semibold">
          {words.snapshots}
        </h2>
        <SnapshotBudget snapshots={snapshots.length} onRemoved={onChange} />
      </div>
      <ul className="divide-y divide-line overflow-hidden rounded-lg bg-surface shadow-card ring-1 ring-line">
        {snapshots.map((snapshot) => (
          <SnapshotRow key={snapshot.id} snapshot={snapshot} now={now} />
        ))}
      </ul>
    </section>
  )
}

function SnapshotRow({ snapshot, now }: { snapshot: Snapshot; now: number }) {
  const { restore, busy, connected } = useMachineCommands()
  return (
    <li className="task-row flex items-center gap-4 px-3 py-2.5">
      {snapshot.frame ? (
        <img
          src={frameUrl(snapshot.frame)}
          alt=""
          loading="lazy"
          className="h-10 w-16 shrink-0 rounded-sm object-cover ring-1 ring-line"
        />
      ) : (
        <span className="h-10 w-16 shrink-0 rounded-sm bg-sunken" />
      )}
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{snapshot.label ?? words.unnamedSnapshot}</p>
        <p className="text-sm text-muted">
          {ago(snapshot.createdAt, now)} · {words.snapshotSize(bytes(snapshot.diskBytes), bytes(snapshot.ramBytes))}
        </p>
      </div>
      <Button
        size="sm"
        icon={Play}
        busy={busy === 'restore'}
        disabled={!connected}
        onClick={() => restore(snapshot.id)}
      >
        {words.restore}
      </Button>
    </li>
  )
}
