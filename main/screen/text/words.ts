import type { Region } from '../../contract/action.ts'
import type { Word } from '../../contract/reading.ts'
import type { InkLine, InkRun } from './ink-runs.ts'
import { fits, pitchesOf, stepBetween } from './pitch.ts'
import type { Letter } from './recognise.ts'

/** Two letters next to each other: is there a space between them? `said` is the reader's opinion, `gap` the ink's. */
type Boundary = { before: InkRun | undefined; after: InkRun | undefined; gap: number | null; said: boolean | null }

/** What a line's letters and its ink say about each other. */
export type ReadLine = { line: InkLine; letters: Letter[]; own: Map<Letter, InkRun[]>; boundaries: Boundary[] }

export function readLine(parts: Letter[][], line: InkLine): ReadLine {
  const letters = parts.flat().filter(({ text }) => text.trim() !== '')
  const own = runsByLetter(letters, line.runs, line.region.height * 0.75)
  return { line, letters, own, boundaries: boundariesOf(parts, own) }
}

/**
 * The letters of lines become words. The reader knows the letters and roughly where they are, and misses spaces; the ink
 * knows where strokes begin and end, but not how wide a space is in this font. So the width that best explains what the
 * reader said about the whole line decides. A line too short to tell goes by its nearest neighbour.
 */
export function wordsOf(lines: ReadLine[]): Word[] {
  const widths = lines.map(({ boundaries, line }) => narrowestSpace(boundaries, line.region.height))
  const pitches = pitchesOf(lines.map(({ line }) => line))
  return lines.flatMap((each, n) => {
    const { boundaries, line } = each
    const pitch = pitches[n] ?? nearest(lines, pitches, line.region, 4)
    if (pitch && fits(line.runs, pitch)) return split(each, (boundary) => isEmptyCell(boundary, pitch))
    const said = boundaries.some((boundary) => boundary.said)
    const width = widths[n] ?? nearest(lines, widths, line.region, 12) ?? line.region.height * (said ? 0.32 : 0.6)
    return split(each, (boundary) => isSpace(boundary, width))
  })
}

function split({ line, letters, own, boundaries }: ReadLine, isEnd: (boundary: Boundary) => boolean): Word[] {
  const words: Letter[][] = []
  for (const [n, letter] of letters.entries()) {
    const boundary = boundaries[n - 1]
    const word = words.at(-1)
    if (!word || (boundary && isEnd(boundary))) words.push([letter])
    else word.push(letter)
  }
  return words.map((word) => ({
    text: word.map(({ text }) => text).join(''),
    box: boxOf(word, own, line.region),
    confidence: word.reduce((sum, { confidence }) => sum + confidence, 0) / word.length,
  }))
}

/** What is known of the nearest line of about the same size, so many heights away at most. */
function nearest(
  lines: ReadLine[],
  known: (number | null)[],
  { x, y, height }: Region,
  farthest: number,
): number | null {
  let best: { value: number; away: number } | null = null
  for (const [n, { line }] of lines.entries()) {
    const value = known[n]
    const { region } = line
    const alike = region.height < height * 1.9 && height < region.height * 1.9
    const away = Math.abs(region.y - y) + Math.abs(region.x - x) * 0.1
    if (value && alike && away < height * farthest && (!best || away < best.away)) best = { value, away }
  }
  return best?.value ?? null
}

function isEmptyCell({ before, after, gap, said }: Boundary, pitch: number): boolean {
  return gap === null ? said === true : stepBetween(before, after, pitch) > pitch * 1.5
}

/** A comma's tail reaches into the space after it: where the reader saw one, a little less will do. */
function isSpace({ gap, said }: Boundary, narrowest: number): boolean {
  if (gap === null) return said === true
  return gap >= (said === true ? narrowest * 0.7 : narrowest)
}

/** One a pair of neighbouring letters. Where two strips meet, the reader said nothing. */
function boundariesOf(parts: Letter[][], own: Map<Letter, InkRun[]>): Boundary[] {
  const boundaries: Boundary[] = []
  let previous: Letter | null = null
  let said: boolean | null = null
  for (const part of parts) {
    for (const letter of part) {
      if (letter.text.trim() === '') {
        if (said !== null) said = true
        continue
      }
      if (previous) {
        const before = own.get(previous)?.at(-1)
        const after = own.get(letter)?.[0]
        boundaries.push({ before, after, gap: gapBetween(before, after), said })
      }
      previous = letter
      said = false
    }
    said = null
  }
  return boundaries
}

/** Null when they share a run of ink: they touch, or the ink tells nothing. */
function gapBetween(before: InkRun | undefined, after: InkRun | undefined): number | null {
  if (!before || !after || before === after || after.left <= before.right) return null
  return after.left - before.right - 1
}

/**
 * The gap from which on the reader's opinions are best explained; null when there are too few of them. It misses spaces more
 * often than it makes them up, and a width far from every gap that is there is better than one just above it.
 */
function narrowestSpace(boundaries: Boundary[], height: number): number | null {
  const asked = boundaries.flatMap(({ gap, said }) => (gap === null || said === null ? [] : [{ gap, said }]))
  const spaces = asked.filter(({ said }) => said).length
  if (spaces < 2 || asked.length - spaces < 4) return null
  let best = { width: height * 0.32, cost: Number.POSITIVE_INFINITY }
  for (let width = 1.5; width <= height; width++) {
    const wrong = asked.reduce((sum, { gap, said }) => sum + (gap >= width === said ? 0 : said ? 1 : 0.5), 0)
    const margin = Math.min(...asked.map(({ gap }) => Math.abs(gap - width)))
    const cost = wrong - Math.log(margin * 2)
    if (cost < best.cost) best = { width, cost }
  }
  return best.width
}

/**
 * Runs hold the letters whose middle is in them; a run with none goes to its nearest letter (a quotation mark has two). One
 * that is farther away than that is no letter: a box to tick, a picture.
 */
function runsByLetter(letters: Letter[], runs: InkRun[], farthest: number): Map<Letter, InkRun[]> {
  const own = new Map<Letter, InkRun[]>()
  const give = (letter: Letter, run: InkRun) => {
    const list = own.get(letter)
    if (list) list.push(run)
    else own.set(letter, [run])
  }
  for (const run of runs) {
    const inside = letters.filter(({ x }) => x >= run.left - 1 && x <= run.right + 1)
    if (inside.length > 0) {
      for (const letter of inside) give(letter, run)
      continue
    }
    const middle = (run.left + run.right) / 2
    let nearest: Letter | undefined
    for (const letter of letters)
      if (!nearest || Math.abs(letter.x - middle) < Math.abs(nearest.x - middle)) nearest = letter
    if (nearest && Math.abs(nearest.x - middle) <= farthest) give(nearest, run)
  }
  return own
}

function boxOf(word: Letter[], own: Map<Letter, InkRun[]>, line: Region): Region {
  const runs = word.flatMap((letter) => own.get(letter) ?? [])
  if (runs.length > 0) {
    const left = Math.min(...runs.map((run) => run.left))
    const right = Math.max(...runs.map((run) => run.right))
    const top = Math.min(...runs.map((run) => run.top))
    const bottom = Math.max(...runs.map((run) => run.bottom))
    return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
  }
  const xs = word.map(({ x }) => x)
  const half = line.height * 0.25
  const left = Math.max(line.x, Math.round(Math.min(...xs) - half))
  const right = Math.round(Math.max(...xs) + half)
  return { x: left, y: line.y, width: Math.max(1, right - left), height: line.height }
}
