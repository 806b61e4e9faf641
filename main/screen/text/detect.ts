import type { Point, Region } from '../../contract/action.ts'
import type { RawFrame } from '../../sandbox/sandbox.ts'

/**
 * PP-OCR's text detector: a picture in, for each pixel out how likely it lies in the core of a line of text. The cores are
 * shrunk so that neighbouring lines stay apart; found boxes are grown again by the same rule.
 */
const mean = [0.485, 0.456, 0.406] as const
const deviation = [0.229, 0.224, 0.225] as const
const likely = 0.3
const sure = 0.55
const growth = 1.6
const multiple = 32

export type DetectorInput = { data: Float32Array; width: number; height: number }

/** The sides are padded to what the network can halve five times. */
export function detectorInput(frame: RawFrame): DetectorInput {
  const width = Math.ceil(frame.width / multiple) * multiple
  const height = Math.ceil(frame.height / multiple) * multiple
  const data = new Float32Array(3 * width * height)
  for (let channel = 0; channel < 3; channel++) {
    // The network learned blue, green, red.
    const source = 2 - channel
    const scale = 1 / (255 * (deviation[channel] ?? 1))
    const shift = (mean[channel] ?? 0) / (deviation[channel] ?? 1)
    for (let y = 0; y < frame.height; y++) {
      let to = channel * width * height + y * width
      let from = y * frame.width * 3 + source
      for (let x = 0; x < frame.width; x++, to++, from += 3) data[to] = (frame.rgb[from] ?? 0) * scale - shift
    }
  }
  return { data, width, height }
}

/** The box of a line of text (or of part of one), and the rows that surely belong to it. */
export type DetectedLine = { box: Region; core: { top: number; bottom: number } }

/** A line found in part of a screen, where it is on the screen. */
export function movedBy({ box, core }: DetectedLine, { x, y }: Point): DetectedLine {
  return { box: { ...box, x: box.x + x, y: box.y + y }, core: { top: core.top + y, bottom: core.bottom + y } }
}

export function detectedLines(map: Float32Array, input: DetectorInput, frame: RawFrame): DetectedLine[] {
  const { width, height } = input
  const seen = new Uint8Array(width * height)
  const stack = new Int32Array(width * height)
  const lines: DetectedLine[] = []
  for (let start = 0; start < map.length; start++) {
    if (seen[start] === 1 || (map[start] ?? 0) < likely) continue
    let left = width
    let right = 0
    let top = height
    let bottom = 0
    let sum = 0
    let count = 0
    let depth = 1
    stack[0] = start
    seen[start] = 1
    while (depth > 0) {
      const at = stack[--depth] ?? 0
      const x = at % width
      const y = (at - x) / width
      sum += map[at] ?? 0
      count++
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      if (y > bottom) bottom = y
      for (let side = 0; side < 4; side++) {
        if ((side === 0 && x === 0) || (side === 1 && x === width - 1)) continue
        const next = side === 0 ? at - 1 : side === 1 ? at + 1 : side === 2 ? at - width : at + width
        if (next < 0 || next >= map.length || seen[next] === 1 || (map[next] ?? 0) < likely) continue
        seen[next] = 1
        stack[depth++] = next
      }
    }
    const box = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
    if (sum / count < sure || box.height < 3) continue
    lines.push(grown(box, frame))
  }
  return lines
}

function grown({ x, y, width, height }: Region, frame: RawFrame): DetectedLine {
  const by = Math.round(((width * height) / (2 * (width + height))) * growth)
  const left = Math.max(0, x - by)
  const top = Math.max(0, y - by)
  const box = {
    x: left,
    y: top,
    width: Math.min(frame.width, x + width + by) - left,
    height: Math.min(frame.height, y + height + by) - top,
  }
  return { box, core: { top: y, bottom: Math.min(frame.height - 1, y + height - 1) } }
}
