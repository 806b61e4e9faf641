import type { Region } from '../../contract/action.ts'
import type { RawFrame } from '../../sandbox/sandbox.ts'

/** Fainter differences than this within a tile are a ground's shading, no text. */
const contrast = 40
const tile = 16
/** Empty tiles in a row that part two areas. Words and lines of one text stand closer. */
const gap = 2
/** The detector wants to see some ground around a text. */
const margin = 16

/**
 * The parts of a screen where something is drawn: searching only these for text saves the time for empty ground. Cut at
 * empty rows and columns of tiles, again and again, until none are left.
 */
export function busyAreas(frame: RawFrame): Region[] {
  const columns = Math.ceil(frame.width / tile)
  const rows = Math.ceil(frame.height / tile)
  const busy = busyTiles(frame, columns, rows)
  const parts = cut(busy, columns, { x: 0, y: 0, width: columns, height: rows })
  return parts.map((part) => {
    const x = Math.max(0, part.x * tile - margin)
    const y = Math.max(0, part.y * tile - margin)
    return {
      x,
      y,
      width: Math.min(frame.width, (part.x + part.width) * tile + margin) - x,
      height: Math.min(frame.height, (part.y + part.height) * tile + margin) - y,
    }
  })
}

function busyTiles({ width, height, rgb }: RawFrame, columns: number, rows: number): Uint8Array {
  const low = new Uint8Array(columns * rows * 3).fill(255)
  const high = new Uint8Array(columns * rows * 3)
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor(y / tile) * columns
    for (let x = 0; x < width; x++) {
      const cell = (row + Math.floor(x / tile)) * 3
      for (let channel = cell; channel < cell + 3; channel++, at++) {
        const value = rgb[at] ?? 0
        if (value < (low[channel] ?? 0)) low[channel] = value
        if (value > (high[channel] ?? 0)) high[channel] = value
      }
    }
  }
  return Uint8Array.from({ length: columns * rows }, (_, n) => {
    for (let channel = n * 3; channel < n * 3 + 3; channel++)
      if ((high[channel] ?? 0) - (low[channel] ?? 0) >= contrast) return 1
    return 0
  })
}

/** In tiles. */
function cut(busy: Uint8Array, columns: number, within: Region): Region[] {
  const { x, y, width, height } = within
  const any = (left: number, top: number, across: number, down: number) => {
    for (let row = top; row < top + down; row++)
      for (let column = left; column < left + across; column++) if (busy[row * columns + column] === 1) return true
    return false
  }
  const bands = runs(height, (n) => any(x, y + n, width, 1)).map(([from, to]) => ({
    ...within,
    y: y + from,
    height: to - from,
  }))
  const parts = bands.flatMap((band) =>
    runs(width, (n) => any(x + n, band.y, 1, band.height)).map(([from, to]) => ({
      ...band,
      x: x + from,
      width: to - from,
    })),
  )
  const [only] = parts
  if (parts.length === 1 && only && only.width === width && only.height === height) return parts
  return parts.flatMap((part) => cut(busy, columns, part))
}

/** From and to (not included) of what is filled, with shorter gaps than `gap` left in. */
function runs(length: number, filled: (n: number) => boolean): [from: number, to: number][] {
  const found: [number, number][] = []
  for (let n = 0; n < length; n++) {
    if (!filled(n)) continue
    const last = found.at(-1)
    if (last && n - last[1] < gap) last[1] = n + 1
    else found.push([n, n + 1])
  }
  return found
}
