import { createHash } from 'node:crypto'
import type { Region } from '../../contract/action.ts'
import type { TextLine } from '../../contract/reading.ts'
import type { RawFrame } from '../../sandbox/sandbox.ts'
import { Glyphs, glyphNames } from './glyphs.ts'
import { type InkLine, inkLines, strips } from './ink-runs.ts'
import { withLineEnds } from './line-ends.ts'
import { linesOf } from './lines.ts'
import { mendLetters } from './mend-letters.ts'
import type { Detector, Reader } from './models.ts'
import type { Letter } from './recognise.ts'
import { type Strip, stripOf } from './strip.ts'
import { readLine, wordsOf } from './words.ts'

/** Longest strip, in heights of its line. In longer ones the reader slips more often, and none of the gaps is saved. */
const longestStrip = 12
/** Words the reader is less sure of than this are mostly icons and patterns. */
const leastConfidence = 0.55
/** How many pictures of text are remembered: a screen is mostly the same from one moment to the next. */
const mostKnown = 5000

/** A strip of a line, the name of its picture, and the names of its ink. */
type Piece = Strip & { line: Region; name: string; names: (string | null)[] }

/** Finds lines of text, has their pieces read by several readers at once, and puts words and lines together. */
export class Ocr {
  private readonly detect: Detector
  private readonly readers: Reader[]
  /** By the pixels of a strip. Places are relative to its left edge. */
  private readonly known = new Map<string, Letter[]>()
  private readonly glyphs = new Glyphs()

  constructor(detect: Detector, readers: Reader[]) {
    this.detect = detect
    this.readers = readers
  }

  async read(frame: RawFrame): Promise<TextLine[]> {
    const detected = withLineEnds(frame, await this.detect(frame))
    const lines = detected.flatMap((line) => inkLines(frame, line))
    const readable = lines.filter(({ region }) => region.height >= 5)
    const cut = readable.map((line) => this.cut(frame, line))
    const letters = await this.readAll(cut.flat())
    const read = (n: number) => (cut[n] ?? []).flatMap((piece) => letters.get(piece) ?? [])
    const words = wordsOf(readable.map((line, n) => readLine(read(n), line)))
    return linesOf(words.filter(({ confidence }) => confidence >= leastConfidence))
  }

  private cut(frame: RawFrame, line: InkLine): Piece[] {
    const names = glyphNames(frame, line)
    let at = 0
    return strips(line.runs, line.region.height * longestStrip).flatMap((runs) => {
      const own = names.slice(at, at + runs.length)
      at += runs.length
      const strip = stripOf(frame, line, runs)
      return strip ? [{ ...strip, line: line.region, name: nameOf(strip.picture), names: own }] : []
    })
  }

  /** The letters of each piece, in parts within which it is known where spaces are. */
  private async readAll(all: Piece[]): Promise<Map<Piece, Letter[][]>> {
    const read = new Map<Piece, Letter[]>()
    const guessed = new Map<Piece, Letter[]>()
    const pending = new Set(all)
    /** The one with the most unknown ink: it teaches what is in the others. Those of which all is known by now are done. */
    const next = (): Piece | undefined => {
      let best: { piece: Piece; unknown: number } | undefined
      for (const piece of pending) {
        const before = this.known.get(piece.name)
        const letters = before ? null : this.glyphs.read(piece.runs, piece.names)
        if (before) read.set(piece, placed(before, piece))
        else if (letters) guessed.set(piece, letters)
        if (before || letters) {
          pending.delete(piece)
          continue
        }
        const unknown = this.glyphs.unknown(piece.names)
        if (!best || unknown > best.unknown) best = { piece, unknown }
      }
      if (best) pending.delete(best.piece)
      return best?.piece
    }
    await Promise.all(
      this.readers.map(async (reader) => {
        for (let piece = next(); piece; piece = next()) {
          const found = await reader(piece.picture)
          this.remember(piece.name, found)
          const letters = placed(found, piece)
          read.set(piece, letters)
          this.glyphs.learn(piece.runs, piece.names, letters)
        }
      }),
    )
    return new Map(all.map((piece) => [piece, this.partsOf(piece, read.get(piece), guessed.get(piece))]))
  }

  private partsOf({ runs, names }: Piece, read: Letter[] | undefined, guessed: Letter[] = []): Letter[][] {
    const corrected = read && this.glyphs.corrected(runs, names, read)
    if (corrected) return [corrected]
    const known = this.glyphs.read(runs, names)
    if (read && !known) return [read]
    // Nobody said anything about spaces here: each letter for itself.
    return (known ?? guessed).map((letter) => [letter])
  }

  private remember(name: string, letters: Letter[]): void {
    this.known.set(name, letters)
    if (this.known.size > mostKnown) this.known.delete(this.known.keys().next().value ?? '')
  }
}

function placed(letters: Letter[], { left, runs, line }: Piece): Letter[] {
  // The reader knows a letter's place to some pixels only; none is outside the strip's ink.
  const from = runs[0]?.left ?? 0
  const to = runs.at(-1)?.right ?? 0
  const moved = letters.map((letter) => ({ ...letter, x: Math.min(to, Math.max(from, letter.x + left)) }))
  return mendLetters(moved, runs, line)
}

function nameOf({ width, rgb }: RawFrame): string {
  return `${width} ${createHash('sha1').update(rgb).digest('base64')}`
}
