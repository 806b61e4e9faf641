import type { Region } from '../../contract/action.ts'
import type { RawFrame } from '../../sandbox/sandbox.ts'

/** A channel this far from the ground's colour is ink. */
const contrast = 48

/** The smallest box around what is drawn within a region, or null when nothing is. */
export function inkWithin(frame: RawFrame, region: Region): Region | null {
  const left = Math.max(0, region.x)
  const top = Math.max(0, region.y)
  const right = Math.min(frame.width, region.x + region.width)
  const bottom = Math.min(frame.height, region.y + region.height)
  if (right <= left || bottom <= top) return null
  const ground = commonColour(frame, left, top, right, bottom)
  let box: { left: number; right: number; top: number; bottom: number } | null = null
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const at = (y * frame.width + x) * 3
      if (distance(frame.rgb, at, ground) < contrast) continue
      if (!box) box = { left: x, right: x, top: y, bottom: y }
      if (x < box.left) box.left = x
      if (x > box.right) box.right = x
      box.bottom = y
    }
  return box && { x: box.left, y: box.top, width: box.right - box.left + 1, height: box.bottom - box.top + 1 }
}

export type Colour = readonly [number, number, number]

export function distance(rgb: Buffer, at: number, [r, g, b]: Colour): number {
  return Math.max(Math.abs((rgb[at] ?? 0) - r), Math.abs((rgb[at + 1] ?? 0) - g), Math.abs((rgb[at + 2] ?? 0) - b))
}

/** The colour most pixels have (in steps of 16): the ground that text stands on. */
export function commonColour(frame: RawFrame, left: number, top: number, right: number, bottom: number): Colour {
  const counts = new Map<number, number>()
  let best = 0
  let bestCount = 0
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const at = (y * frame.width + x) * 3
      const key =
        (((frame.rgb[at] ?? 0) >> 4) << 8) | (((frame.rgb[at + 1] ?? 0) >> 4) << 4) | ((frame.rgb[at + 2] ?? 0) >> 4)
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (count > bestCount) {
        best = key
        bestCount = count
      }
    }
  return [((best >> 8) & 15) * 16 + 8, ((best >> 4) & 15) * 16 + 8, (best & 15) * 16 + 8]
}
