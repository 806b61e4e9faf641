import type { RawFrame } from '../../sandbox/sandbox.ts'
import type { InkLine, InkRun } from './ink-runs.ts'

/** A piece of a line, cut out to be read: on its own ground, with room around it, and nothing of its neighbours. */
export type Strip = { runs: InkRun[]; left: number; picture: RawFrame }

/** Around the text, in heights of its line. More makes letters smaller for the reader: quicker to read, and less sure. */
const room = 0.3

export function stripOf(frame: RawFrame, line: InkLine, runs: InkRun[]): Strip | null {
  const first = runs[0]
  const last = runs.at(-1)
  if (!first || !last) return null
  const { region, ground } = line
  const margin = Math.max(2, Math.round(region.height * room))
  const at = line.runs.indexOf(first)
  // Half-tones at a letter's edge belong to it, the next letter's strokes do not.
  const left = Math.max(0, first.left - 1, (line.runs[at - 1]?.right ?? -2) + 1)
  const right = Math.min(frame.width - 1, last.right + 1, (line.runs[at + runs.length]?.left ?? frame.width + 1) - 1)
  const width = right - left + 1 + 2 * margin
  const height = region.height + 2 * margin
  const rgb = Buffer.alloc(width * height * 3)
  for (let n = 0; n < rgb.length; n += 3) {
    rgb[n] = ground[0]
    rgb[n + 1] = ground[1]
    rgb[n + 2] = ground[2]
  }
  for (let row = 0; row < region.height; row++) {
    const from = ((region.y + row) * frame.width + left) * 3
    frame.rgb.copy(rgb, ((row + margin) * width + margin) * 3, from, from + (right - left + 1) * 3)
  }
  return { runs, left: left - margin, picture: { width, height, rgb } }
}
