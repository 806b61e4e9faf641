import type { Point, Region } from '../../../contract/action.ts'
import type { RawFrame } from '../../../sandbox/sandbox.ts'

/** Where the mouse pointer was drawn on each screen, if that is known: it is no part of what is looked for. */
export type Pointers = { recorded: Point | null; now: Point | null }

const pointerSize = { width: 26, height: 30 }
const otherColour = 40
/** A caret or a blinking light may come or go. */
const strayPixels = 40
const strayShare = 0.2

/** How many pixels of the piece are not of its most common colour: what there is to recognise it by. */
export function featuresOf(frame: RawFrame, piece: Region): number {
  const counts = new Map<number, number>()
  const each = (visit: (at: number) => void) => {
    for (let y = piece.y; y < piece.y + piece.height; y++)
      for (let x = piece.x; x < piece.x + piece.width; x++) visit((y * frame.width + x) * 3)
  }
  each((at) => {
    const colour = frame.rgb.readUIntBE(at, 3)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  })
  const common = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0]
  const background = Buffer.from([common >> 16, (common >> 8) & 255, common & 255])
  let features = 0
  each((at) => {
    if (differ(frame.rgb, at, background, 0)) features++
  })
  return features
}

/** Whether the piece of the recording stands, moved by so much, on the screen of now. */
export function matches(recorded: RawFrame, now: RawFrame, piece: Region, move: Point, pointers?: Pointers): boolean {
  const allowed = Math.max(strayPixels, featuresOf(recorded, piece) * strayShare)
  let different = 0
  for (let y = piece.y; y < piece.y + piece.height; y++)
    for (let x = piece.x; x < piece.x + piece.width; x++) {
      const a = (y * recorded.width + x) * 3
      const b = ((y + move.y) * now.width + x + move.x) * 3
      if (!differ(recorded.rgb, a, now.rgb, b)) continue
      if (under(pointers?.recorded, x, y) || under(pointers?.now, x + move.x, y + move.y)) continue
      if (++different > allowed) return false
    }
  return true
}

/** The rows whose pixels change most often from one to the next. */
export function tellingRows({ rgb, width }: RawFrame, piece: Region): number[] {
  const rows = Array.from({ length: piece.height }, (_, row) => {
    let changes = 0
    for (let x = 1; x < piece.width; x++) {
      const at = ((piece.y + row) * width + piece.x + x) * 3
      if (rgb[at] !== rgb[at - 3] || rgb[at + 1] !== rgb[at - 2] || rgb[at + 2] !== rgb[at - 1]) changes++
    }
    return { row, changes }
  })
  return rows
    .filter(({ changes }) => changes >= 4)
    .toSorted((a, b) => b.changes - a.changes)
    .slice(0, 5)
    .map(({ row }) => row)
}

function differ(a: Buffer, atA: number, b: Buffer, atB: number): boolean {
  for (let channel = 0; channel < 3; channel++)
    if (Math.abs((a[atA + channel] ?? 0) - (b[atB + channel] ?? 0)) > otherColour) return true
  return false
}

function under(pointer: Point | null | undefined, x: number, y: number): boolean {
  if (!pointer) return false
  const [dx, dy] = [x - pointer.x, y - pointer.y]
  return dx >= -4 && dy >= -4 && dx < pointerSize.width && dy < pointerSize.height
}
