import type { Region } from '../contract/action.ts'
import type { RawFrame } from '../sandbox/sandbox.ts'
import { area, overlap, touch, union } from './boxes.ts'

/**
 * What looks as if one could click on it, by its shape alone: filled boxes the size of buttons and fields, and small
 * compact pictures. An aid for marking, not a parser of interfaces: it may miss some and offer others in vain.
 */
const button = { least: { width: 14, height: 12 }, most: { width: 640, height: 72 } }
const icon = { least: 9, most: 72 }
const mostRegions = 600
/** How much a colour must change from one pixel to the next but one to be an edge. A gradient does not. */
const edgeStep = 10

export function findRegions(frame: RawFrame): Region[] {
  const areas = evenAreas(frame)
  const boxes = areas.filter(({ box, pixels }) => fits(box) && pixels >= area(box) * 0.6).map(({ box }) => box)
  const small = areas.filter(({ box }) => box.width <= icon.most && box.height <= icon.most).map(({ box }) => box)
  const icons = clusters(small).filter(
    ({ width, height }) =>
      Math.min(width, height) >= icon.least &&
      Math.max(width, height) <= icon.most &&
      Math.max(width, height) < 2.2 * Math.min(width, height),
  )
  return distinct([...boxes, ...icons].filter((box) => hasEdges(frame, box))).slice(0, mostRegions)
}

/** Whether it stands out against what is around it: a gradient falls into areas of one colour as well. */
function hasEdges({ width, height, rgb }: RawFrame, box: Region): boolean {
  const wanted = (box.width + box.height) / 2
  const right = Math.min(box.x + box.width + 2, width - 2)
  const bottom = Math.min(box.y + box.height + 2, height - 2)
  let found = 0
  for (let y = Math.max(box.y - 2, 0); y < bottom; y++)
    for (let x = Math.max(box.x - 2, 0); x < right; x++) {
      const at = (y * width + x) * 3
      if ((differs(rgb, at, at + 6) || differs(rgb, at, at + 6 * width)) && ++found >= wanted) return true
    }
  return false
}

function differs(rgb: Buffer, a: number, b: number): boolean {
  for (let channel = 0; channel < 3; channel++)
    if (Math.abs((rgb[a + channel] ?? 0) - (rgb[b + channel] ?? 0)) >= edgeStep) return true
  return false
}

function fits({ width, height }: Region): boolean {
  const { least, most } = button
  return width >= least.width && height >= least.height && width <= most.width && height <= most.height
}

/** Connected pixels of one colour (to within an eighth of its range), by flood fill. */
function evenAreas({ width, height, rgb }: RawFrame): { box: Region; pixels: number }[] {
  const total = width * height
  const colour = new Uint16Array(total)
  for (let at = 0, from = 0; at < total; at++, from += 3)
    colour[at] = (((rgb[from] ?? 0) >> 4) << 8) | (((rgb[from + 1] ?? 0) >> 4) << 4) | ((rgb[from + 2] ?? 0) >> 4)
  const seen = new Uint8Array(total)
  const stack = new Int32Array(total)
  const areas: { box: Region; pixels: number }[] = []
  for (let start = 0; start < total; start++) {
    if (seen[start] === 1) continue
    seen[start] = 1
    stack[0] = start
    let depth = 1
    let pixels = 0
    let left = width
    let right = 0
    let top = height
    let bottom = 0
    while (depth > 0) {
      const at = stack[--depth] ?? 0
      const x = at % width
      const y = (at - x) / width
      pixels++
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      if (y > bottom) bottom = y
      for (let side = 0; side < 4; side++) {
        if ((side === 0 && x === 0) || (side === 1 && x === width - 1)) continue
        const next = side === 0 ? at - 1 : side === 1 ? at + 1 : side === 2 ? at - width : at + width
        if (next < 0 || next >= total || seen[next] === 1 || colour[next] !== colour[at]) continue
        seen[next] = 1
        stack[depth++] = next
      }
    }
    if (right - left < width - 1 || bottom - top < height - 1)
      areas.push({ box: { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }, pixels })
  }
  return areas
}

/** Small areas that touch make up one picture. Sorted by row, so that only near ones are compared. */
function clusters(boxes: Region[]): Region[] {
  const open: Region[] = []
  const done: Region[] = []
  for (const box of boxes.toSorted((a, b) => a.y - b.y)) {
    let grown = box
    for (let n = open.length - 1; n >= 0; n--) {
      const other = open[n]
      if (!other) continue
      if (other.y + other.height + 2 < box.y) {
        done.push(other)
        open.splice(n, 1)
      } else if (touch(grown, other, 2)) {
        grown = union(grown, other)
        open.splice(n, 1)
      }
    }
    open.push(grown)
  }
  return [...done, ...open]
}

/** Of boxes that are nearly the same the first is kept. */
function distinct(boxes: Region[]): Region[] {
  const kept: Region[] = []
  for (const box of boxes.toSorted((a, b) => area(a) - area(b)))
    if (!kept.some((other) => overlap(other, box) > 0.7 && overlap(box, other) > 0.7)) kept.push(box)
  return kept
}
