import { Pin, PinOff, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Snapshot } from '../../main/contract/machine.ts'
import type { SnapshotUse } from '../../main/contract/snapshots.ts'
import { useMachineCommands } from '../machines/useMachineCommands.ts'
import { Button, IconButton } from '../parts/Button.tsx'
import { Confirm } from '../parts/Confirm.tsx'
import { call, frameUrl } from '../state/engine.ts'
import { toast, toastError } from '../state/toasts.ts'
import { text } from '../text.ts'
import { bytes } from '../time/format.ts'
import { MomentFacts } from './MomentFacts.tsx'
import { MomentName } from './MomentName.tsx'
import { MomentSteps } from './MomentSteps.tsx'

const words = text.lineage

type Props = {
  snapshotId: string | null
  snapshot: Snapshot | undefined
  title: string
  use: SnapshotUse | undefined
  onChange: () => void
  onGone: () => void
}

export function MomentPanel({ snapshotId, snapshot, title, use, onChange, onGone }: Props) {
  return (
    <aside aria-label={words.panel} className="min-h-0 overflow-y-auto border-l border-line bg-surface">
      {snapshot ? (
        <Moment snapshot={snapshot} title={title} use={use} onChange={onChange} onGone={onGone} />
      ) : (
        <div className="space-y-1 p-5 text-sm text-muted">
          {snapshotId !== null && <p className="font-medium text-ink">{words.gone.title}</p>}
          <p>{snapshotId === null ? words.hint : words.gone.detail}</p>
          <p>{words.keys}</p>
        </div>
      )}
    </aside>
  )
}

type MomentProps = { snapshot: Snapshot } & Pick<Props, 'title' | 'use' | 'onChange' | 'onGone'>

function Moment({ snapshot, title, use, onChange, onGone }: MomentProps) {
  const { restore, busy, connected } = useMachineCommands()
  const [asking, setAsking] = useState(false)
  const freed = bytes(use?.ownBytes ?? snapshot.diskBytes + snapshot.ramBytes)
  const pin = () =>
    call('snapshot.pin', { snapshotId: snapshot.id, pinned: !snapshot.pinned }).then(onChange, toastError)
  const remove = () =>
    call('snapshot.remove', { snapshotId: snapshot.id }).then(({ freedBytes }) => {
      toast(words.removed(bytes(freedBytes)))
      onGone()
    }, toastError)
  return (
    <div className="space-y-4 p-4">
      <div className="overflow-hidden rounded-md bg-sunken shadow-card ring-1 ring-line">
        {snapshot.frame ? (
          <img src={frameUrl(snapshot.frame)} alt={title} className="block w-full" />
        ) : (
          <p className="grid aspect-8/5 place-items-center text-sm text-muted">{words.noPicture}</p>
        )}
      </div>
      <h2 className="text-lg leading-5.5 font-semibold wrap-anywhere">{title}</h2>
      <div className="space-y-2">
        <div className="flex gap-2">
          <Button
            look="primary"
            icon={Play}
            className="flex-1"
            busy={busy === 'restore'}
            disabled={!connected}
            onClick={() => restore(snapshot.id)}
          >
            {words.continue}
          </Button>
          <IconButton
            look="plain"
            icon={snapshot.pinned ? PinOff : Pin}
            label={snapshot.pinned ? words.unpin : words.pin}
            aria-pressed={snapshot.pinned}
            disabled={!connected}
            onClick={pin}
          />
          <IconButton
            look="danger"
            icon={Trash2}
            label={words.remove}
            disabled={!connected || use?.removable === false}
            onClick={() => setAsking(true)}
          />
        </div>
        <p className="text-sm text-muted">{words.continueDetail}</p>
      </div>
      <MomentName snapshot={snapshot} onChange={onChange} />
      <MomentFacts snapshot={snapshot} use={use} />
      {use?.removable === false && <p className="text-sm text-muted">{words.notRemovable}</p>}
      {snapshot.taskId !== null && <MomentSteps taskId={snapshot.taskId} snapshotId={snapshot.id} />}
      {asking && (
        <Confirm
          title={words.removeTitle(title)}
          detail={words.removeDetail(freed)}
          action={words.remove}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
