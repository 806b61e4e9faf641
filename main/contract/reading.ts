import { z } from 'zod'
import { Point, Region } from './geometry.ts'

/** What can be read off a screen. Boxes and points are in pixels of the native screen. */

export const Word = z.object({
  text: z.string(),
  box: Region,
  confidence: z.number(), // how sure the reading is, 0 to 1
})
export type Word = z.infer<typeof Word>

/** Words from left to right. Its text is the words with single spaces between. */
export const TextLine = Word.extend({ words: z.array(Word) })
export type TextLine = z.infer<typeof TextLine>

/** As it stands (whole words), part of it, forgiving small misreadings, or as a regular expression. */
export const TextQuery = z.object({
  text: z.string().min(1).max(10_000),
  match: z.enum(['contains', 'exact', 'fuzzy', 'regex']).default('contains'),
})

export const TextFound = z.object({
  text: z.string(), // as read on the screen
  box: Region,
  point: Point, // where to click
  score: z.number(), // how well it matches, 1 is letter by letter
  confidence: z.number(),
  line: z.string(), // all of the line it stands in
})
export type TextFound = z.infer<typeof TextFound>

/** Something on the screen that has a number: text, or a place that looks clickable (with the text on it, if any). */
export const Mark = z.object({
  number: z.number().int(),
  kind: z.enum(['text', 'region']),
  box: Region,
  text: z.string(),
  point: Point,
})
export type Mark = z.infer<typeof Mark>

/** A stored picture of a screen; its PNG is at /frames/<frame>.png. */
export const KeptFrame = z.object({ frame: z.string(), width: z.number().int(), height: z.number().int() })
export type KeptFrame = z.infer<typeof KeptFrame>

/** The screen as it is, and where it differs from an earlier frame. */
export const ScreenNews = KeptFrame.extend({ changed: z.boolean(), boxes: z.array(Region), share: z.number() })
export type ScreenNews = z.infer<typeof ScreenNews>
