import type { Region } from '../../main/contract/action.ts'
import { frameUrl } from '../state/engine.ts'
import type { Mark } from './marks.ts'

export type Size = { width: number; height: number }
export const usualSize: Size = { width: 1280, height: 800 }

type Props = { frame: string; alt: string; size?: Size; marks?: readonly Mark[]; boxes?: readonly Region[] }

/** A frame of the screen with what happened drawn over it. */
export function Picture({ frame, alt, size = usualSize, marks = [], boxes = [] }: Props) {
  return (
    <>
      <img src={frameUrl(frame)} alt={alt} decoding="async" draggable={false} className="absolute inset-0 size-full" />
      {(marks.length > 0 || boxes.length > 0) && (
        <svg
          viewBox={`0 0 ${size.width} ${size.height}`}
          aria-hidden="true"
          className="pointer-events-none absolute inset-0 size-full"
        >
          {boxes.map((box) => (
            <ChangedBox key={`${box.x},${box.y},${box.width},${box.height}`} box={box} />
          ))}
          {marks.map((mark) => (
            <Drawn key={mark.number} mark={mark} />
          ))}
        </svg>
      )}
    </>
  )
}

// Each line is drawn twice, dark under bright, so that it stands out on any picture.
const strokes = [
  { className: 'stroke-[oklch(0.15_0.01_60/.75)]', strokeWidth: 9 },
  { className: 'stroke-[oklch(0.85_0.16_82)]', strokeWidth: 4.5 },
]

function Drawn({ mark }: { mark: Mark }) {
  return (
    <g fill="none" strokeLinecap="round" strokeLinejoin="round">
      {strokes.map((stroke) => (
        <g key={stroke.strokeWidth} {...stroke}>
          <Shape mark={mark} />
        </g>
      ))}
    </g>
  )
}

function Shape({ mark }: { mark: Mark }) {
  switch (mark.kind) {
    case 'touch':
      return (
        <>
          <circle cx={mark.at.x} cy={mark.at.y} r={20} />
          <circle cx={mark.at.x} cy={mark.at.y} r={1.5} />
        </>
      )
    case 'path': {
      const end = mark.points.at(-1)
      return (
        <>
          <polyline points={mark.points.map(({ x, y }) => `${x},${y}`).join(' ')} />
          {end && <circle cx={end.x} cy={end.y} r={10} />}
        </>
      )
    }
    case 'scroll': {
      const turn = mark.dy === 0 ? (mark.dx > 0 ? -90 : 90) : mark.dy > 0 ? 0 : 180
      return <path d="M0-26V26M-13 13 0 26 13 13" transform={`translate(${mark.at.x} ${mark.at.y}) rotate(${turn})`} />
    }
  }
}

function ChangedBox({ box }: { box: Region }) {
  return (
    <rect
      {...box}
      rx={4}
      fill="none"
      strokeWidth={2.5}
      strokeDasharray="8 6"
      className="stroke-[oklch(0.7_0.15_255)]"
    />
  )
}
