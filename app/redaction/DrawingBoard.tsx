import { type CSSProperties, type PointerEvent, type SyntheticEvent, useRef, useState } from 'react'
import type { Point, Region } from '../../main/contract/geometry.ts'
import { frameUrl } from '../state/engine.ts'
import type { Size } from '../task/Picture.tsx'
import { tracesText } from '../text/traces.ts'
import { dragged } from './draft.ts'

const words = tracesText.redact

type Props = {
  frame: string
  png: string | null // as it will be exported; null: not known, or the picture as it is was asked for
  covered: readonly Region[]
  size: Size
  onSize: (size: Size) => void
  onDraw: (region: Region) => void
}

/** The picture, with a place over it to draw on. Whoever has no pointer adds rectangles in the list beside it. */
export function DrawingBoard({ frame, png, covered, size, onSize, onDraw }: Props) {
  const board = useRef<HTMLDivElement>(null)
  const [from, setFrom] = useState<Point | null>(null)
  const [to, setTo] = useState<Point | null>(null)
  const drawn = from && to && dragged(from, to, size)
  const pointOf = (event: PointerEvent): Point => {
    const place = board.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
    return {
      x: ((event.clientX - place.left) / place.width) * size.width,
      y: ((event.clientY - place.top) / place.height) * size.height,
    }
  }
  const end = () => {
    if (drawn) onDraw(drawn)
    setFrom(null)
    setTo(null)
  }
  const measure = ({
    currentTarget: { naturalWidth: width, naturalHeight: height },
  }: SyntheticEvent<HTMLImageElement>) => width > 0 && onSize({ width, height })
  return (
    <div className="screen w-full!" style={{ '--w': size.width, '--h': size.height } as CSSProperties}>
      <img
        src={png ? `data:image/png;base64,${png}` : frameUrl(frame)}
        alt={png ? words.picture : words.original}
        draggable={false}
        onLoad={measure}
        className="absolute inset-0 size-full"
      />
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 size-full"
      >
        {[...covered, ...(drawn ? [drawn] : [])].map((region, index) => (
          <g key={index} fill="none">
            <rect {...region} strokeWidth={5} className="stroke-[oklch(0.15_0.01_60/.75)]" />
            <rect {...region} strokeWidth={2.5} strokeDasharray="8 5" className="stroke-[oklch(0.85_0.16_82)]" />
          </g>
        ))}
      </svg>
      <div
        ref={board}
        role="presentation"
        title={words.draw}
        data-board
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setFrom(pointOf(event))
        }}
        onPointerMove={(event) => from && setTo(pointOf(event))}
        onPointerUp={end}
        onPointerCancel={() => setFrom(null)}
        className="absolute inset-0 cursor-crosshair touch-none"
      />
    </div>
  )
}
