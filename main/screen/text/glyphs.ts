import type { RawFrame } from '../../sandbox/sandbox.ts'
import { type Colour, distance } from './ink.ts'
import { contrast, type InkLine, type InkRun } from './ink-runs.ts'
import type { Letter } from './recognise.ts'

/** So often must the reader have said the same about the same ink before its word is taken for the next time. */
const enough = 3
/** Of all it said about it: it slips now and then. */
const majority = 0.8
/** Letters it was less sure of teach nothing. */
const sure = 0.8
/** Ink wider than this, in heights of its line, is no letter. */
const widest = 2
const mostKnown = 20_000

type Votes = { total: number; best: { text: string; count: number }; others: Map<string, number> }

/**
 * Ink whose letter is known. A terminal draws a letter with the same pixels wherever it stands, so after some lines the reader
 * need not be asked about the rest; and what it read wrongly once is put right by what it read elsewhere.
 */
export class Glyphs {
  private readonly votes = new Map<string, Votes>()

  /** The letter this ink stands for, or null when that is not certain. */
  letter(name: string | null): string | null {
    const votes = name === null ? undefined : this.votes.get(name)
    if (!votes || votes.best.count < enough || votes.best.count < votes.total * majority) return null
    return votes.best.text
  }

  unknown(names: (string | null)[]): number {
    return names.filter((name) => this.letter(name) === null).length
  }

  /** From a strip that was read: where it has as many letters as pieces of ink, each in its place, these belong together. */
  learn(runs: InkRun[], names: (string | null)[], read: Letter[]): void {
    const letters = inPlace(runs, read)
    if (!letters) return
    for (const [n, { text, confidence }] of letters.entries()) {
      const name = names[n]
      if (name && confidence >= sure) this.vote(name, text)
    }
  }

  /** The letters of a strip, when all its ink is known. */
  read(runs: InkRun[], names: (string | null)[]): Letter[] | null {
    const letters: Letter[] = []
    for (const [n, run] of runs.entries()) {
      const text = this.letter(names[n] ?? null)
      if (text === null) return null
      letters.push({ text, x: middle(run), confidence: 1 })
    }
    return letters
  }

  /** What was read, each letter where its ink is, and those changed that other places have shown to be others. Null: they do not fit. */
  corrected(runs: InkRun[], names: (string | null)[], read: Letter[]): Letter[] | null {
    const letters = inPlace(runs, read)
    if (!letters) return null
    const places = new Map(letters.map((letter, n) => [letter, n]))
    return read.map((letter) => {
      const n = places.get(letter)
      const run = runs[n ?? -1]
      if (n === undefined || !run) return letter
      return { ...letter, text: this.letter(names[n] ?? null) ?? letter.text, x: middle(run) }
    })
  }

  private vote(name: string, text: string): void {
    const votes = this.votes.get(name) ?? { total: 0, best: { text, count: 0 }, others: new Map<string, number>() }
    votes.total++
    const count = (votes.others.get(text) ?? 0) + 1
    votes.others.set(text, count)
    if (count > votes.best.count) votes.best = { text, count }
    this.votes.set(name, votes)
    if (this.votes.size > mostKnown) this.votes.delete(this.votes.keys().next().value ?? '')
  }
}

/**
 * The pixels of each piece of a line's ink, and how far it reaches below the line's foot: a comma and an apostrophe look alike.
 * Null for what no letter is told by: a plain bar may be an l, an I or a |, and only the word around it says which.
 */
export function glyphNames(frame: RawFrame, { runs, region, ground }: InkLine): (string | null)[] {
  const tallest = Math.max(...runs.map(heightOf))
  const foot = commonest(runs.filter((run) => heightOf(run) * 2 > tallest).map(({ bottom }) => bottom))
  return runs.map((run) => {
    const { left, right, top, bottom } = run
    const width = right - left + 1
    if (width > region.height * widest) return null
    const rows: string[] = []
    for (let y = top; y <= bottom; y++) {
      const at = (y * frame.width + left) * 3
      rows.push(frame.rgb.toString('latin1', at, at + width * 3))
    }
    if (isBar(frame, run, ground, rows)) return null
    return `${width} ${bottom - foot} ${ground.join(' ')} ${rows.join('')}`
  })
}

function isBar(frame: RawFrame, { left, right, top, bottom }: InkRun, ground: Colour, rows: string[]): boolean {
  if (rows.length < 5 || !rows.slice(2, -1).every((row) => row === rows[1])) return false
  const row = Math.round((top + bottom) / 2) * frame.width
  for (let x = left; x <= right; x++) if (distance(frame.rgb, (row + x) * 3, ground) < contrast) return false
  return true
}

function commonest(values: number[]): number {
  const counts = new Map<number, number>()
  let best = values[0] ?? 0
  for (const value of values) {
    const count = (counts.get(value) ?? 0) + 1
    counts.set(value, count)
    if (count > (counts.get(best) ?? 0)) best = value
  }
  return best
}

function inPlace(runs: InkRun[], read: Letter[]): Letter[] | null {
  const letters = read.filter(({ text }) => text.trim() !== '')
  if (letters.length !== runs.length) return null
  const near = letters.every(({ x }, n) => {
    const run = runs[n]
    return run && x >= run.left - slack(run) && x <= run.right + slack(run)
  })
  return near ? letters : null
}

/** The reader knows a letter's place to some pixels only. */
const slack = (run: InkRun) => Math.max(3, heightOf(run) * 0.4)

const heightOf = ({ top, bottom }: InkRun) => bottom - top + 1

const middle = ({ left, right }: InkRun) => (left + right + 1) / 2
