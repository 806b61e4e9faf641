import { memo } from 'react'
import type { Step } from '../../main/contract/task.ts'
import { Button } from '../parts/Button.tsx'
import { text } from '../text.ts'

type Props = {
  steps: readonly Step[]
  position: number | null // null is the present
  live: boolean
  onMove: (position: number | null) => void
  onHover: (position: number | null) => void
  onOpen: (step: number) => void
}

/** The steps as one line of time: drag or use the arrow keys to look back; its right end is the present. */
export function Timeline({ steps, position, live, onMove, onHover, onOpen }: Props) {
  const shown = position === null ? undefined : steps[position]
  const now = live ? text.task.live : text.task.latest
  if (steps.length === 0) return null
  return (
    <div className="flex items-center gap-3">
      <div
        className="relative h-5 min-w-0 flex-1"
        onPointerMove={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect()
          const cell = Math.floor(((event.clientX - left) / width) * (steps.length + 1))
          onHover(event.buttons === 0 && steps[cell] ? cell : null)
        }}
        onPointerLeave={() => onHover(null)}
      >
        <Track steps={steps} live={live} />
        <input
          type="range"
          aria-label={text.task.timeline}
          aria-valuetext={shown ? text.task.stepOf(shown.index + 1, steps.length) : now}
          min={0}
          max={steps.length}
          value={position ?? steps.length}
          onChange={(event) => {
            const value = Number(event.target.value)
            onMove(value >= steps.length ? null : value)
          }}
          onKeyDown={(event) => event.key === 'Enter' && shown && onOpen(shown.index)}
          // From the middle of the first cell to the middle of the last, which is the present.
          style={{
            marginInline: `calc(50% / ${steps.length + 1} - 6px)`,
            width: `calc(100% - 100% / ${steps.length + 1} + 12px)`,
          }}
          className="range absolute inset-y-0 h-5 rounded-full"
        />
      </div>
      <Button
        size="sm"
        look={position === null ? 'quiet' : 'plain'}
        aria-pressed={position === null}
        onClick={() => onMove(null)}
      >
        {live && <span className="spark size-1.5 rounded-full bg-gold" />}
        {now}
      </Button>
    </div>
  )
}

const colours = { pass: 'fill-pass', fail: 'fill-fail', unchecked: 'fill-edge' }

/** One cell a step, in the colour of its verdict. Drawn as one picture, so a thousand cost no more than ten. */
const Track = memo(function Track({ steps, live }: { steps: readonly Step[]; live: boolean }) {
  const cells = steps.length + 1
  const width = cells > 120 ? 1 : 1 - Math.min(0.25, cells * 0.004) // gaps of about 3 px, as long as there is room
  return (
    <svg
      viewBox={`0 0 ${cells} 1`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="absolute inset-x-0 top-1/2 h-1.5 w-full -translate-y-1/2 overflow-hidden rounded-full"
    >
      {steps.map((step, at) => (
        <rect key={step.index} x={at} width={width} height={1} className={colours[step.verdict]} />
      ))}
      <rect x={steps.length} width={1} height={1} className={live ? 'fill-gold' : 'fill-line'} />
    </svg>
  )
})
