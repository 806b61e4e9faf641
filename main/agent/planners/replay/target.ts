import type { Point, Region } from '../../../contract/action.ts'
import type { RawFrame } from '../../../sandbox/sandbox.ts'
import { featuresOf, matches, type Pointers, tellingRows } from './pieces.ts'

/** Something that was pointed at in the recording, to be found on the screen of now. */
export type Wanted = { recorded: RawFrame; at: Point; now: RawFrame; pointers?: Pointers }
export type Found = { at: Point; by: 'place' | 'picture' | 'text'; what?: string | undefined }
/** One way of finding it; null when it cannot tell. Several are asked in turn. */
export type FindTarget = (wanted: Wanted, signal: AbortSignal) => Promise<Found | null> | Found | null

/** From what surrounds a button to what it shows: a larger piece tells equal buttons apart, a smaller one moves freely. */
const sizes = [
  { width: 160, height: 64 },
  { width: 96, height: 40 },
  { width: 56, height: 24 },
]
/** Where the point lies in the piece: in its middle, or towards an edge, for a target at the edge of its window. */
const anchors = [
  [0.5, 0.5],
  [0.15, 0.5],
  [0.85, 0.5],
  [0.5, 0.2],
  [0.5, 0.8],
  [0.15, 0.2],
  [0.15, 0.8],
  [0.85, 0.2],
  [0.85, 0.8],
] as const
/** Fewer are a line or a corner, which is everywhere. */
const fewFeatures = 60

/** What was there is still there: the smallest piece around it that shows something, or all of an area that is empty. */
export const findInPlace: FindTarget = ({ recorded, at, now, pointers }) => {
  if (recorded.width !== now.width || recorded.height !== now.height) return null
  const pieces = sizes.toReversed().map((size) => around(recorded, at, size, [0.5, 0.5]))
  const piece = pieces.find((each) => featuresOf(recorded, each) >= fewFeatures) ?? pieces.at(-1)
  return piece && matches(recorded, now, piece, { x: 0, y: 0 }, pointers) ? { at, by: 'place' } : null
}

/** The same pixels elsewhere: a window that opened at another place. The nearest of several. */
export const findByPicture: FindTarget = ({ recorded, at, now, pointers }) => {
  for (const size of sizes)
    for (const anchor of anchors) {
      const piece = around(recorded, at, size, anchor)
      if (featuresOf(recorded, piece) < fewFeatures) continue
      const moves = movesOf(recorded, piece, now, pointers)
      const nearest = moves.toSorted((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y))[0]
      if (nearest) return { at: { x: at.x + nearest.x, y: at.y + nearest.y }, by: 'picture' }
    }
  return null
}

function around(
  frame: RawFrame,
  at: Point,
  size: { width: number; height: number },
  [fx, fy]: readonly [number, number],
): Region {
  const width = Math.min(size.width, frame.width)
  const height = Math.min(size.height, frame.height)
  const x = Math.max(0, Math.min(frame.width - width, Math.round(at.x - width * fx)))
  const y = Math.max(0, Math.min(frame.height - height, Math.round(at.y - height * fy)))
  return { x, y, width, height }
}

/**
 * Where the piece is now, as moves from where it was. Its most telling rows are looked for byte by byte, which is quick,
 * and each place where one stands is compared as a whole.
 */
function movesOf(recorded: RawFrame, piece: Region, now: RawFrame, pointers: Pointers | undefined): Point[] {
  const moves = new Map<string, Point>()
  for (const row of tellingRows(recorded, piece)) {
    const start = ((piece.y + row) * recorded.width + piece.x) * 3
    const bytes = recorded.rgb.subarray(start, start + piece.width * 3)
    for (let found = now.rgb.indexOf(bytes); found >= 0; found = now.rgb.indexOf(bytes, found + 1)) {
      const pixel = found / 3
      const [x, y] = [pixel % now.width, Math.floor(pixel / now.width) - row]
      const whole = Number.isInteger(pixel) && x + piece.width <= now.width && y >= 0 && y + piece.height <= now.height
      const move = { x: x - piece.x, y: y - piece.y }
      if (whole && matches(recorded, now, piece, move, pointers)) moves.set(`${move.x},${move.y}`, move)
    }
    if (moves.size > 0) break
  }
  return [...moves.values()]
}
