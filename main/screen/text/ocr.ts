import { createHash } from 'node:crypto'
import type { TextLine } from '../../contract/reading.ts'
import type { RawFrame } from '../../sandbox/sandbox.ts'
import { inkLines, strips } from './ink-runs.ts'
import { linesOf } from './lines.ts'
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

/** Finds lines of text, has their pieces read by several readers at once, and puts words and lines together. */
export class Ocr {
  private readonly detect: Detector
  private readonly readers: Reader[]
  /** By the pixels of a strip. Places are relative to its left edge. */
  private readonly known = new Map<string, Letter[]>()

  constructor(detect: Detector, readers: Reader[]) {
    this.detect = detect
    this.readers = readers
  }

  async read(frame: RawFrame): Promise<TextLine[]> {
    const lines = (await this.detect(frame)).flatMap((detected) => inkLines(frame, detected))
    const readable = lines.filter(({ region }) => region.height >= 5)
    const cut = readable.map((line) =>
      strips(line.runs, line.region.height * longestStrip)
        .map((runs) => stripOf(frame, line, runs))
        .filter((strip) => strip !== null),
    )
    const letters = await this.readAll(cut.flat())
    const read = (n: number) => (cut[n] ?? []).map((strip) => letters.get(strip) ?? [])
    const words = wordsOf(readable.map((line, n) => readLine(read(n), line)))
    return linesOf(words.filter(({ confidence }) => confidence >= leastConfidence))
  }

  private async readAll(all: Strip[]): Promise<Map<Strip, Letter[]>> {
    const letters = new Map<Strip, Letter[]>()
    const fresh: { strip: Strip; name: string }[] = []
    const place = (strip: Strip, found: Letter[]) =>
      letters.set(
        strip,
        found.map((letter) => ({ ...letter, x: letter.x + strip.left })),
      )
    for (const strip of all) {
      const name = nameOf(strip.picture)
      const known = this.known.get(name)
      if (known) place(strip, known)
      else fresh.push({ strip, name })
    }
    // Long ones first, so that no reader is left alone with one at the end.
    const queue = fresh.toSorted((a, b) => a.strip.picture.width - b.strip.picture.width)
    await Promise.all(
      this.readers.map(async (reader) => {
        for (let next = queue.pop(); next; next = queue.pop()) {
          const found = this.known.get(next.name) ?? (await reader(next.strip.picture))
          this.remember(next.name, found)
          place(next.strip, found)
        }
      }),
    )
    return letters
  }

  private remember(name: string, letters: Letter[]): void {
    this.known.set(name, letters)
    if (this.known.size > mostKnown) this.known.delete(this.known.keys().next().value ?? '')
  }
}

function nameOf(picture: RawFrame): string {
  return `${picture.width} ${createHash('sha1').update(picture.rgb).digest('base64')}`
}
