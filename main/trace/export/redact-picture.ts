import type { Region } from '../../contract/action.ts'
import type { Redaction } from '../../contract/trace.ts'
import { decodeFrame, encodeFrame, type Pixels } from '../pixels.ts'

/** Finds where patterns stand in a picture, when something that reads screens is at hand. */
export type LocateText = (frame: Pixels, patterns: Redaction['patterns']) => Promise<Region[]>

/** Coarser than letters are tall, so that they cannot be guessed back from their averages. */
const block = 32

/** The PNG with what must not be seen covered: what a preview shows is what an export holds. */
export async function redactPicture(
  png: Buffer,
  hash: string,
  redaction: Redaction,
  locate?: LocateText,
): Promise<Buffer> {
  const marked = redaction.regions.filter(({ frames }) => !frames || frames.includes(hash))
  const readable = redaction.patterns.length > 0 ? locate : undefined
  if (marked.length === 0 && !readable) return png
  const frame = await decodeFrame(png)
  const found = readable ? await readable(frame, redaction.patterns) : []
  const pixels = { ...frame, rgb: Buffer.from(frame.rgb) }
  let covered = false
  for (const { region, style } of [...marked, ...found.map((region) => ({ region, style: 'black' as const }))]) {
    const part = within(region, pixels)
    if (!part) continue
    covered = true
    if (style === 'black') fill(pixels, part, [0, 0, 0])
    else pixelate(pixels, part)
  }
  return covered ? encodeFrame(pixels) : png
}

function within({ x, y, width, height }: Region, frame: Pixels): Region | null {
  const part = { x, y, width: Math.min(width, frame.width - x), height: Math.min(height, frame.height - y) }
  return part.width > 0 && part.height > 0 ? part : null
}

function fill({ rgb, width }: Pixels, part: Region, colour: [number, number, number]): void {
  for (let y = part.y; y < part.y + part.height; y++)
    for (let x = part.x; x < part.x + part.width; x++) rgb.set(colour, (y * width + x) * 3)
}

function pixelate(frame: Pixels, part: Region): void {
  for (let y = part.y; y < part.y + part.height; y += block)
    for (let x = part.x; x < part.x + part.width; x += block) {
      const square = {
        x,
        y,
        width: Math.min(block, part.x + part.width - x),
        height: Math.min(block, part.y + part.height - y),
      }
      fill(frame, square, average(frame, square))
    }
}

function average({ rgb, width }: Pixels, square: Region): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0]
  for (let y = square.y; y < square.y + square.height; y++)
    for (let x = square.x; x < square.x + square.width; x++)
      for (const channel of [0, 1, 2] as const) sum[channel] += rgb[(y * width + x) * 3 + channel] ?? 0
  const count = square.width * square.height
  return [Math.round(sum[0] / count), Math.round(sum[1] / count), Math.round(sum[2] / count)]
}
