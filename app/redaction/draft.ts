import type { Point, Region } from '../../main/contract/geometry.ts'
import type { Step } from '../../main/contract/task.ts'
import type { RedactionInput } from '../../main/contract/trace.ts'
import type { Size } from '../task/Picture.tsx'

/** What is to be hidden, as far as the person has said it by now. `frame`: the one picture it is meant for; null: all. */
export type Rectangle = { id: number; region: Region; style: 'black' | 'pixelate'; frame: string | null }
export type Words = { id: number; text: string; match: 'text' | 'regex'; replacement: string }
export type Draft = { rectangles: readonly Rectangle[]; words: readonly Words[] }

export const emptyDraft: Draft = { rectangles: [], words: [] }
export const usualReplacement = '█████'

/** A picture of the trace and where in it one is. */
export type Shot = { frame: string; step: number; when: 'before' | 'after' }

/** Null while there is nothing to hide. */
export function redactionOf({ rectangles, words }: Draft): RedactionInput | null {
  const patterns = words
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, match, replacement }) => ({ text, match, replacement }))
  if (rectangles.length === 0 && patterns.length === 0) return null
  const regions = rectangles.map(({ region, style, frame }) => ({ region, style, ...(frame && { frames: [frame] }) }))
  return { regions, patterns }
}

/** Less than this was a click, not a drawing. */
const leastSide = 4

/** The rectangle between two points, within the screen; null where hardly anything was drawn. */
export function dragged(from: Point, to: Point, size: Size): Region | null {
  const within = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)))
  const [left, right] = [within(Math.min(from.x, to.x), size.width), within(Math.max(from.x, to.x), size.width)]
  const [top, bottom] = [within(Math.min(from.y, to.y), size.height), within(Math.max(from.y, to.y), size.height)]
  if (right - left < leastSide || bottom - top < leastSide) return null
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** Every picture of a trace once, in the order they are seen. */
export function shotsOf(steps: readonly Step[]): Shot[] {
  const shots = new Map<string, Shot>()
  for (const { index, before, after } of steps)
    for (const [frame, when] of [[before, 'before'] as const, [after, 'after'] as const])
      if (frame && !shots.has(frame)) shots.set(frame, { frame, step: index + 1, when })
  return [...shots.values()]
}
