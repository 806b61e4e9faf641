import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { GodHandError } from '../../main/contract/errors.ts'
import type { Snapshot } from '../../main/contract/machine.ts'
import type { StateDiff } from '../../main/contract/state-diff.ts'
import { Button, IconButton } from '../parts/Button.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { call, frameUrl } from '../state/engine.ts'
import { Changes } from '../task/Changes.tsx'
import { DiffPicture } from '../task/DiffPicture.tsx'
import { stageText } from '../text/stage.ts'
import { timeTravelText } from '../text/time-travel.ts'

const words = timeTravelText.compare

export type Side = { snapshot: Snapshot | null; title: string } // null: the fresh desktop

type Props = { from: Side; to: Side & { snapshot: Snapshot }; onClose: () => void }

/** Two moments beside each other: what the screens show, and what is different inside. */
export function ComparePanel({ from, to, onClose }: Props) {
  const [share, setShare] = useState<number | null>(null)
  const before = from.snapshot?.frame
  const after = to.snapshot.frame
  return (
    <section aria-label={words.title} className="space-y-4 p-4">
      <header className="flex items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">{words.title}</h2>
        <IconButton icon={X} label={words.stop} onClick={onClose} />
      </header>
      <div className="grid grid-cols-2 gap-3">
        <Moment label={words.earlier} side={from} />
        <Moment label={words.later} side={to} />
      </div>
      {before && after && (
        <figure>
          <figcaption className="mb-1.5 flex justify-between gap-2 text-sm">
            <span className="font-medium">{words.screens}</span>
            <span className="text-muted">{share === null ? stageText.diff.working : stageText.diff.share(share)}</span>
          </figcaption>
          <div className="relative aspect-8/5 overflow-hidden rounded-md bg-sunken ring-1 ring-line">
            <DiffPicture before={before} after={after} onShare={setShare} />
          </div>
        </figure>
      )}
      <Inside from={from.snapshot?.id ?? null} to={to.snapshot.id} />
    </section>
  )
}

function Moment({ label, side: { snapshot, title } }: { label: string; side: Side }) {
  return (
    <figure className="min-w-0">
      {snapshot?.frame ? (
        <img src={frameUrl(snapshot.frame)} alt={title} className="block w-full rounded-md ring-1 ring-line" />
      ) : (
        <span className="block aspect-8/5 rounded-md bg-sunken ring-1 ring-line" />
      )}
      <figcaption className="mt-1">
        <span className="block text-xs text-muted">{label}</span>
        <span className="line-clamp-2 text-sm font-medium wrap-anywhere">{title}</span>
      </figcaption>
    </figure>
  )
}

/** What was found once stays found: moments do not change. */
const found = new Map<string, StateDiff>()

function Inside({ from, to }: { from: string | null; to: string }) {
  const key = `${from} ${to}`
  const [diff, setDiff] = useState<StateDiff | null>(found.get(key) ?? null)
  const [error, setError] = useState<GodHandError | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    setDiff(found.get(key) ?? null)
    setError(null)
  }, [key])
  const look = async () => {
    setBusy(true)
    setError(null)
    try {
      const seen = await call('snapshot.compare', { from, to })
      found.set(key, seen)
      setDiff(seen)
    } catch (thrown) {
      setError(GodHandError.from(thrown))
    } finally {
      setBusy(false)
    }
  }
  if (diff) return <Changes diff={diff} />
  return (
    <div className="space-y-2">
      <Button className="w-full" busy={busy} onClick={look}>
        {words.look}
      </Button>
      <p role="status" className="text-sm text-muted">
        {busy ? words.working : words.detail}
      </p>
      {error && <ErrorNote error={error} />}
    </div>
  )
}
