import { GitCompareArrows, Pin, PinOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Snapshot } from '../../main/contract/machine.ts'
import type { SnapshotUse } from '../../main/contract/snapshots.ts'
import { Button, IconButton } from '../parts/Button.tsx'
import { Confirm } from '../parts/Confirm.tsx'
import { call, frameUrl } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { toast, toastError } from '../state/toasts.ts'
import { timeTravelText } from '../text/time-travel.ts'
import { text } from '../text.ts'
import { bytes } from '../time/format.ts'
import { ContinueForm } from './ContinueForm.tsx'
import { MomentFacts } from './MomentFacts.tsx'
import { MomentName } from './MomentName.tsx'
import { MomentSteps } from './MomentSteps.tsx'

const words = text.lineage
const { compare } = timeTravelText

type Props = {
  snapshot: Snapshot
  title: string
  use: SnapshotUse | undefined
  picking: boolean
  onChange: () => void
  onGone: () => void
  onPick: (picking: boolean) => void
  onCompareBack: () => void
}

/** What is shown beside the tree while nothing is chosen, or what was chosen is gone. */
export function NoMoment({ gone }: { gone: boolean }) {
  return (
    <div className="space-y-1 p-5 text-sm text-muted">
      {gone && <p className="font-medium text-ink">{words.gone.title}</p>}
      <p>{gone ? words.gone.detail : words.hint}</p>
      <p>{words.keys}</p>
    </div>
  )
}

export function MomentPanel(props: Props) {
  const { snapshot, title, use, picking, onChange, onGone, onPick, onCompareBack } = props
  const connected = useStore((store) => store.connection === 'open')
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
      <ContinueForm snapshotId={snapshot.id} />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" disabled={!connected} onClick={onCompareBack}>
          {snapshot.parentId === null ? compare.withOrigin : compare.withParent}
        </Button>
        <Button size="sm" icon={GitCompareArrows} aria-pressed={picking} onClick={() => onPick(!picking)}>
          {picking ? compare.stop : compare.withAnother}
        </Button>
        {picking && (
          <p role="status" className="w-full text-sm text-warn">
            {compare.picking}
          </p>
        )}
      </div>
      <div className="flex gap-2">
        <div className="min-w-0 flex-1">
          <MomentName snapshot={snapshot} onChange={onChange} />
        </div>
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
