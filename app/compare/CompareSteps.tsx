import { Equal } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { TraceComparison } from '../../main/contract/compare-traces.ts'
import { Button } from '../parts/Button.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { tracesText } from '../text/traces.ts'
import { CompareRow } from './CompareRow.tsx'
import { pairsOf } from './pairs.ts'
import { RowInspector } from './RowInspector.tsx'

const words = tracesText.compare
const shows = (['all', 'differences'] as const).map((value) => ({ value, label: words.shows[value] }))
/** More than this at once is slow to draw and seldom read to its end. */
const page = 200

type Props = {
  compared: TraceComparison
  only: 'differences' | undefined
  opened: number | null
  onShow: (shown: 'all' | 'differences') => void
  onOpen: (row: number | null) => void
}

export function CompareSteps({ compared, only, opened, onShow, onOpen }: Props) {
  const [most, setMost] = useState(page)
  const pairs = useMemo(() => pairsOf(compared), [compared])
  const shown = only ? pairs.filter(({ row }) => row.kind !== 'same') : pairs
  const open = opened === null ? undefined : pairs[opened]
  return (
    <section aria-labelledby="compared-steps" className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="compared-steps" className="text-lg font-semibold">
          {words.steps}
        </h2>
        <Segmented label={words.show} value={only ?? 'all'} options={shows} onChange={onShow} />
      </div>
      {pairs.length === 0 ? (
        <p className="text-muted">{words.noSteps}</p>
      ) : shown.length === 0 ? (
        <EmptyState icon={Equal} {...words.noDifference} />
      ) : (
        <ol className="divide-y divide-line rounded-lg bg-surface shadow-card ring-1 ring-line">
          {shown.slice(0, most).map((pair) => (
            <CompareRow key={pair.place} pair={pair} onOpen={() => onOpen(pair.place)} />
          ))}
        </ol>
      )}
      {shown.length > most && (
        <div className="text-center">
          <Button onClick={() => setMost(most + page)}>{words.more(Math.min(page, shown.length - most))}</Button>
        </div>
      )}
      {open && <RowInspector pair={open} pairs={shown} onMove={onOpen} onClose={() => onOpen(null)} />}
    </section>
  )
}
