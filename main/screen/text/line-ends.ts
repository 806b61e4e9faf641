import type { Region } from '../../contract/action.ts'
import type { RawFrame } from '../../sandbox/sandbox.ts'
import type { DetectedLine } from './detect.ts'
import { commonColour, distance } from './ink.ts'
import { contrast } from './ink-runs.ts'

/** How far from a line's end, in its heights, something small still belongs to it. */
const reach = 1.2
/** Not wider and not higher than this, in heights of the line. */
const small = 0.5

/** The detector overlooks a full stop or a dash that stands for itself at the end of a line. */
export function withLineEnds(frame: RawFrame, lines: DetectedLine[]): DetectedLine[] {
  return lines.map((line) => {
    const others = lines.filter((other) => other !== line && inRows(other, line)).map(({ box }) => box)
    const { box } = line
    const ground = commonColour(frame, box.x, box.y, box.x + box.width, box.y + box.height)
    const inkAt = (x: number) => columnInk(frame, x, box, (at) => distance(frame.rgb, at, ground) >= contrast)
    const right = end(box.x + box.width - 1, 1, (x) => (isFree(x, frame, others) ? inkAt(x) : null), box.height)
    const left = end(box.x, -1, (x) => (isFree(x, frame, others) ? inkAt(x) : null), box.height)
    return { ...line, box: { ...box, x: left, width: right - left + 1 } }
  })
}

/** Rows with ink in a column: how many, from the first to the last. Null: no further. */
type Look = (x: number) => number | null

function end(edge: number, step: 1 | -1, look: Look, height: number): number {
  let reached = edge
  let wide = 0
  for (let x = edge + step; Math.abs(x - reached) <= height * reach; x += step) {
    const rows = look(x)
    if (rows === null || rows > height * small) return reached
    wide = rows > 0 ? wide + 1 : 0
    if (wide > height * small) return reached
    if (rows === 0 && wide === 0 && (look(x - step) ?? 0) > 0) reached = x
  }
  return reached
}

function columnInk(frame: RawFrame, x: number, { y, height }: Region, isInk: (at: number) => boolean): number {
  let first = -1
  let last = -1
  for (let row = y; row < y + height; row++) {
    if (!isInk((row * frame.width + x) * 3)) continue
    if (first < 0) first = row
    last = row
  }
  return first < 0 ? 0 : last - first + 1
}

function isFree(x: number, frame: RawFrame, others: Region[]): boolean {
  return x >= 0 && x < frame.width && !others.some((box) => x >= box.x && x < box.x + box.width)
}

function inRows(a: DetectedLine, b: DetectedLine): boolean {
  return a.core.top <= b.core.bottom && b.core.top <= a.core.bottom
}
