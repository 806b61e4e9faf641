import type { Region } from '../contract/action.ts'
import type { RawFrame } from '../sandbox/sandbox.ts'
import { joinTouching } from './boxes.ts'

/** Where two frames differ. `share` is the part of the screen's pixels that do. */
export type FrameDiff = { boxes: Region[]; share: number }

const tile = 32

/**
 * Whole rows are compared first (memcmp), then only tiles in rows that differ, then pixels in tiles that differ: an
 * unchanged screen costs a fraction of a millisecond. Boxes are exact; tiles only decide what belongs together.
 */
export function diffFrames(a: RawFrame, b: RawFrame, ignore: Region[] = []): FrameDiff {
  if (a.width !== b.width || a.height !== b.height)
    return { boxes: [{ x: 0, y: 0, width: b.width, height: b.height }], share: 1 }
  const { width, height } = a
  const columns = Math.ceil(width / tile)
  const stride = width * 3
  const found = new Map<number, Bounds>()
  let pixels = 0
  for (let y = 0; y < height; y++) {
    const row = y * stride
    if (same(a.rgb, b.rgb, row, row + stride)) continue
    const skip = ignore.filter((region) => y >= region.y && y < region.y + region.height)
    for (let column = 0; column < columns; column++) {
      const from = column * tile
      const to = Math.min(width, from + tile)
      if (same(a.rgb, b.rgb, row + from * 3, row + to * 3)) continue
      for (let x = from; x < to; x++) {
        const at = row + x * 3
        if (a.rgb[at] === b.rgb[at] && a.rgb[at + 1] === b.rgb[at + 1] && a.rgb[at + 2] === b.rgb[at + 2]) continue
        if (skip.length > 0 && skip.some((region) => x >= region.x && x < region.x + region.width)) continue
        pixels++
        const key = Math.floor(y / tile) * columns + column
        const bounds = found.get(key)
        if (bounds) grow(bounds, x, y)
        else found.set(key, { left: x, right: x, top: y, bottom: y })
      }
    }
  }
  return { boxes: joinTouching(groupTiles(found, columns)), share: pixels / (width * height) }
}

type Bounds = { left: number; right: number; top: number; bottom: number }

function grow(bounds: Bounds, x: number, y: number): void {
  if (x < bounds.left) bounds.left = x
  if (x > bounds.right) bounds.right = x
  if (y > bounds.bottom) bounds.bottom = y
}

function same(a: Buffer, b: Buffer, start: number, end: number): boolean {
  return a.compare(b, start, end, start, end) === 0
}

/** Neighbouring tiles become one box. */
function groupTiles(found: Map<number, Bounds>, columns: number): Region[] {
  const left = new Map(found)
  const boxes: Region[] = []
  for (const start of found.keys()) {
    if (!left.has(start)) continue
    const box = { left: Number.POSITIVE_INFINITY, right: -1, top: Number.POSITIVE_INFINITY, bottom: -1 }
    const open = [start]
    while (open.length > 0) {
      const key = open.pop() ?? 0
      const bounds = left.get(key)
      if (!bounds) continue
      left.delete(key)
      box.left = Math.min(box.left, bounds.left)
      box.right = Math.max(box.right, bounds.right)
      box.top = Math.min(box.top, bounds.top)
      box.bottom = Math.max(box.bottom, bounds.bottom)
      const column = key % columns
      for (const row of [-columns, 0, columns]) {
        open.push(key + row)
        if (column > 0) open.push(key + row - 1)
        if (column < columns - 1) open.push(key + row + 1)
      }
    }
    boxes.push({ x: box.left, y: box.top, width: box.right - box.left + 1, height: box.bottom - box.top + 1 })
  }
  return boxes
}
