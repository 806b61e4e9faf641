import { ChevronLeft, ChevronRight, ImageOff } from 'lucide-react'
import { useState } from 'react'
import type { RedactionPreview } from '../../main/contract/export.ts'
import type { Region } from '../../main/contract/geometry.ts'
import { IconButton } from '../parts/Button.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import type { Size } from '../task/Picture.tsx'
import { tracesText } from '../text/traces.ts'
import { DrawingBoard } from './DrawingBoard.tsx'
import type { Draft, Shot } from './draft.ts'

const words = tracesText.redact
const views = (['exported', 'original'] as const).map((value) => ({ value, label: words.shows[value] }))

type Props = {
  shots: readonly Shot[]
  position: number
  preview: RedactionPreview | null
  working: boolean
  draft: Draft
  size: Size
  onSize: (size: Size) => void
  onMove: (position: number) => void
  onDraw: (region: Region) => void
}

/** One picture of the trace at a time: as it will be exported, or as it is with what will be covered outlined. */
export function ShotViewer({ shots, position, preview, working, draft, size, onSize, onMove, onDraw }: Props) {
  const [view, setView] = useState<'exported' | 'original'>('exported')
  const shot = shots[position]
  if (!shot) return <EmptyState icon={ImageOff} {...words.noPictures} />
  const drawn = draft.rectangles
    .filter(({ frame }) => frame === null || frame === shot.frame)
    .map(({ region }) => region)
  const exported = view === 'exported' && preview !== null
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Segmented label={words.show} value={view} options={views} onChange={setView} />
        <p role="status" className="flex-1 text-sm text-muted">
          {working && words.working}
        </p>
        <p className="text-sm text-muted tabular-nums">{words.at(position + 1, shots.length, shot.step, shot.when)}</p>
        <div className="flex">
          <IconButton
            icon={ChevronLeft}
            label={words.previous}
            disabled={position === 0}
            onClick={() => onMove(position - 1)}
          />
          <IconButton
            icon={ChevronRight}
            label={words.next}
            disabled={position === shots.length - 1}
            onClick={() => onMove(position + 1)}
          />
        </div>
      </div>
      <DrawingBoard
        frame={shot.frame}
        png={exported ? preview.png : null}
        covered={exported ? [] : (preview?.covered ?? drawn)}
        size={size}
        onSize={onSize}
        onDraw={onDraw}
      />
    </div>
  )
}
