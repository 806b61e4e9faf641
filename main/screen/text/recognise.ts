import type { RawFrame } from '../../sandbox/sandbox.ts'

/** PP-OCR's reader: a strip 48 pixels high in, for each eight pixels of its length out which letter is there. */
export const stripHeight = 48
const step = 8
const multiple = 16

/** A letter, where its middle is (in pixels), and how sure the reader is. */
export type Letter = { text: string; x: number; confidence: number }

export type ReaderInput = { data: Float32Array; width: number; scale: number }

/** The strip scaled to the reader's height (bilinear), its right edge drawn out to a length the network takes. */
export function readerInput(strip: RawFrame): ReaderInput {
  const scale = stripHeight / strip.height
  const width = Math.max(2 * multiple, Math.ceil((strip.width * scale) / multiple) * multiple)
  const plane = width * stripHeight
  const data = new Float32Array(3 * plane)
  const columns = Array.from({ length: width }, (_, x) => weigh((x + 0.5) / scale - 0.5, strip.width))
  const { rgb } = strip
  for (let y = 0; y < stripHeight; y++) {
    const row = weigh((y + 0.5) / scale - 0.5, strip.height)
    const upper = row.low * strip.width
    const lower = row.high * strip.width
    for (let x = 0; x < width; x++) {
      const column = columns[x] ?? row
      const a = (upper + column.low) * 3
      const b = (upper + column.high) * 3
      const c = (lower + column.low) * 3
      const d = (lower + column.high) * 3
      // The network learned blue, green, red.
      for (let channel = 0; channel < 3; channel++) {
        const source = 2 - channel
        const top = (rgb[a + source] ?? 0) * (1 - column.share) + (rgb[b + source] ?? 0) * column.share
        const bottom = (rgb[c + source] ?? 0) * (1 - column.share) + (rgb[d + source] ?? 0) * column.share
        data[channel * plane + y * width + x] = (top * (1 - row.share) + bottom * row.share) / 127.5 - 1
      }
    }
  }
  return { data, width, scale }
}

function weigh(place: number, size: number): { low: number; high: number; share: number } {
  const at = Math.max(0, Math.min(size - 1, place))
  const low = Math.floor(at)
  return { low, high: Math.min(size - 1, low + 1), share: at - low }
}

/** Greedy reading of the network's answer: the likeliest letter at each step, repeats joined, blanks (0) left out. */
export function lettersOf(scores: Float32Array, classes: number, input: ReaderInput, alphabet: string[]): Letter[] {
  const letters: Letter[] = []
  let run: { letter: number; from: number; best: number } | null = null
  const finish = (to: number) => {
    const text = run ? alphabet[run.letter] : undefined
    if (run && text !== undefined)
      letters.push({ text, x: (((run.from + to) / 2) * step) / input.scale, confidence: run.best })
  }
  const steps = scores.length / classes
  for (let n = 0; n < steps; n++) {
    let best = 0
    let bestScore = -1
    for (let letter = 0, at = n * classes; letter < classes; letter++, at++) {
      const score = scores[at] ?? 0
      if (score > bestScore) {
        bestScore = score
        best = letter
      }
    }
    if (run && run.letter === best) {
      run.best = Math.max(run.best, bestScore)
      continue
    }
    finish(n)
    run = best === 0 ? null : { letter: best, from: n, best: bestScore }
  }
  finish(steps)
  return letters
}

/** Class 0 is the blank, the file's lines follow, the last one is the space. */
export function alphabetOf(file: string): string[] {
  return ['', ...file.replace(/\r?\n$/, '').split(/\r?\n/), ' ']
}
