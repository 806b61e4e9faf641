import type { Region } from '../../contract/action.ts'
import type { RawFrame } from '../../sandbox/sandbox.ts'
import type { DetectedLine } from './detect.ts'
import { type Colour, commonColour, distance } from './ink.ts'

/** Columns of a line that have ink without a gap: a letter, or letters that touch. */
export type InkRun = { left: number; right: number; top: number; bottom: number }

/** A line's own rows and its ink, column by column. */
export type InkLine = { region: Region; runs: InkRun[]; ground: Colour }

/** How far from the ground a colour must be. Grey edges of letters count less than their strokes. */
export const contrast = 56
/** A row with ink in almost every column is an underline or a border, no text. */
const ruled = 0.85

/**
 * The detector's boxes are rough: in a terminal they reach into the lines above and below. From the rows that surely belong
 * to the line one goes up and down to the first row without ink. Where an upright rule crosses it, two windows meet there:
 * these are lines of their own.
 */
export function inkLines(frame: RawFrame, { box, core }: DetectedLine): InkLine[] {
  const slack = Math.max(2, Math.round(box.height * 0.15))
  const rows = { top: Math.max(0, box.y - slack), bottom: Math.min(frame.height, box.y + box.height + slack) }
  const right = Math.min(frame.width, box.x + box.width)
  const whole = inkOf(frame, box.x, right, rows)
  const lines: InkLine[] = []
  let from = box.x
  for (let x = box.x; x <= right; x++) {
    if (x < right && !isRule(whole, x - box.x)) continue
    if (x - from >= 3) {
      const part = from === box.x && x === right ? whole : inkOf(frame, from, x, rows)
      const line = lineIn(part, core)
      if (line.runs.length > 0) lines.push(line)
    }
    from = x + 1
  }
  return lines
}

/** Which pixels are ink, row by row from `top`, between two columns. */
type Ink = { map: Uint8Array; left: number; width: number; top: number; counts: Uint32Array; ground: Colour }

function inkOf(frame: RawFrame, left: number, right: number, { top, bottom }: { top: number; bottom: number }): Ink {
  const width = right - left
  const ground = commonColour(frame, left, top, right, bottom)
  const map = new Uint8Array(width * (bottom - top))
  const counts = new Uint32Array(bottom - top)
  for (let y = top; y < bottom; y++)
    for (let x = 0; x < width; x++)
      if (distance(frame.rgb, (y * frame.width + left + x) * 3, ground) >= contrast) {
        map[(y - top) * width + x] = 1
        counts[y - top] = (counts[y - top] ?? 0) + 1
      }
  return { map, left, width, top, counts, ground }
}

/** Ink from top to bottom, also between the lines. */
function isRule({ map, width, counts }: Ink, x: number): boolean {
  for (let y = 0; y < counts.length; y++) if (map[y * width + x] !== 1) return false
  return true
}

function lineIn(ink: Ink, core: DetectedLine['core']): InkLine {
  const { counts, width, top } = ink
  const isText = (y: number) => {
    const count = counts[y - top] ?? 0
    return count > 0 && count < width * ruled
  }
  let first = core.top
  let last = core.bottom
  while (first > top && isText(first - 1)) first--
  while (last < top + counts.length - 1 && isText(last + 1)) last++
  while (first < last && !isText(first)) first++
  while (last > first && !isText(last)) last--
  last = withUnderscore(last, isText)
  const region = { x: ink.left, y: first, width, height: last - first + 1 }
  return { region, runs: runsIn(ink, region, core, isText), ground: ink.ground }
}

/** An underscore may stand apart below the line. It is one or two rows high; what is higher belongs to the next line. */
function withUnderscore(last: number, isText: (y: number) => boolean): number {
  let end = last + 2
  while (isText(end)) end++
  const rows = end - (last + 2)
  return rows > 0 && rows <= 2 ? end - 1 : last
}

function runsIn(ink: Ink, region: Region, core: DetectedLine['core'], isText: (y: number) => boolean): InkRun[] {
  const runs: InkRun[] = []
  let from = -1
  for (let x = 0; x <= ink.width; x++) {
    let any = false
    for (let y = region.y; x < ink.width && y < region.y + region.height && !any; y++)
      any = ink.map[(y - ink.top) * ink.width + x] === 1 && isText(y)
    if (any && from < 0) from = x
    if (any || from < 0) continue
    runs.push({ left: ink.left + from, right: ink.left + x - 1, ...rowsOf(ink, from, x, region, core, isText) })
    from = -1
  }
  return runs
}

/** The rows of one run: those near the line's core, with no more room between than between an i and its dot. */
function rowsOf(
  ink: Ink,
  from: number,
  to: number,
  region: Region,
  core: DetectedLine['core'],
  isText: (y: number) => boolean,
) {
  const has = (y: number) => {
    if (!isText(y)) return false
    for (let x = from; x < to; x++) if (ink.map[(y - ink.top) * ink.width + x] === 1) return true
    return false
  }
  const middle = Math.round((core.top + core.bottom) / 2)
  const gap = Math.max(2, Math.round((core.bottom - core.top + 1) * 0.6))
  const end = region.y + region.height
  let top = -1
  let bottom = -1
  for (let y = middle, last = middle; y >= region.y && last - y <= gap; y--) if (has(y)) last = top = y
  for (let y = middle, last = middle; y < end && y - last <= gap; y++) if (has(y)) last = bottom = y
  if (top >= 0 || bottom >= 0)
    return { top: top < 0 ? rowBelow(middle, has) : top, bottom: bottom < 0 ? rowAbove(middle, has) : bottom }
  // A full stop, an underscore, a quotation mark: all of it is away from the middle.
  return { top: rowBelow(region.y, has), bottom: rowAbove(end - 1, has) }
}

function rowBelow(from: number, has: (y: number) => boolean): number {
  let y = from
  while (!has(y)) y++
  return y
}

function rowAbove(from: number, has: (y: number) => boolean): number {
  let y = from
  while (!has(y)) y--
  return y
}

/** The strips a line is read in: cut at its widest gaps, so that none is longer than the reader is quick at. */
export function strips(runs: InkRun[], longest: number): InkRun[][] {
  const first = runs[0]
  const last = runs.at(-1)
  if (!first || !last) return []
  if (last.right - first.left <= longest || runs.length === 1) return [runs]
  const middle = (first.left + last.right) / 2
  let cut = 1
  let best = Number.NEGATIVE_INFINITY
  for (let n = 1; n < runs.length; n++) {
    const before = runs[n - 1]
    const after = runs[n]
    if (!before || !after) continue
    const gap = after.left - before.right
    // Wide gaps are spaces; among equals the one nearest to the middle.
    const worth = Math.min(gap, 24) * 20 - Math.abs(after.left - middle) * 0.25
    if (worth > best) {
      best = worth
      cut = n
    }
  }
  return [...strips(runs.slice(0, cut), longest), ...strips(runs.slice(cut), longest)]
}
