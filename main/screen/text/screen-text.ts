import type { Region } from '../../contract/action.ts'
import type { TextFound, TextLine, Word } from '../../contract/reading.ts'
import { centre, overlap, union } from '../boxes.ts'
import { execBounded } from './bounded-regex.ts'
import { findFuzzy, type TextQuery } from './match-text.ts'

/** The lines' words that lie (mostly) within a region. */
export function linesWithin(lines: TextLine[], region: Region | undefined): TextLine[] {
  if (!region) return lines
  return lines.flatMap((line) => {
    const words = line.words.filter((word) => overlap(region, word.box) >= 0.5)
    return words.length === 0 ? [] : [lineOf(words)]
  })
}

export function lineOf(words: Word[]): TextLine {
  return {
    text: words.map((word) => word.text).join(' '),
    box: words.map((word) => word.box).reduce(union),
    confidence: words.reduce((sum, word) => sum + word.confidence, 0) / words.length,
    words,
  }
}

/**
 * Every place where the text stands, best first. `exact` means whole words; `contains` may be part of one. Spaces and
 * line breaks in the query stand for any gap between words.
 */
export function findText(lines: TextLine[], query: TextQuery): TextFound[] {
  const wanted = query.match === 'regex' ? query.text : query.text.trim().replace(/\s+/g, ' ')
  const found = lines.flatMap((line) => inLine(line, { ...query, text: wanted }))
  if (found.length === 0 && query.match !== 'regex' && wanted.includes(' '))
    found.push(...acrossLines(lines, query, wanted))
  return found.toSorted((a, b) => b.score - a.score || a.box.y - b.box.y || a.box.x - b.box.x)
}

function inLine(line: TextLine, query: TextQuery): TextFound[] {
  const found: TextFound[] = []
  let from = 0
  while (from <= line.text.length) {
    const rest = line.text.slice(from)
    const match = next(rest, query)
    if (!match || match.text.length === 0) break
    const start = from + match.index
    const end = start + match.text.length
    from = end
    if (query.match === 'exact' && !wholeWords(line.text, start, end)) continue
    found.push(placed(line, start, end, match.score))
  }
  return found
}

function next(text: string, query: TextQuery): { index: number; text: string; score: number } | null {
  if (query.match === 'fuzzy') return findFuzzy(text, query.text)
  if (query.match === 'regex') {
    const match = execBounded(query.text, text)
    return match && { ...match, score: 1 }
  }
  const index = text.indexOf(query.text)
  return index < 0 ? null : { index, text: query.text, score: 1 }
}

function wholeWords(text: string, start: number, end: number): boolean {
  const inside = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character)
  return !(inside(text[start - 1]) && inside(text[start])) && !(inside(text[end]) && inside(text[end - 1]))
}

/** The box of part of a line: whole words, except that the outer ones are cut in proportion to their letters. */
function placed(line: TextLine, start: number, end: number, score: number): TextFound {
  const parts: Word[] = []
  let at = 0
  for (const word of line.words) {
    const from = Math.max(start, at) - at
    const to = Math.min(end, at + word.text.length) - at
    if (from < to) parts.push(cut(word, from, to))
    at += word.text.length + 1
  }
  const words = parts.length > 0 ? parts : line.words
  const whole = lineOf(words)
  const text = line.text.slice(start, end)
  return { text, box: whole.box, point: centre(whole.box), score, confidence: whole.confidence, line: line.text }
}

function cut(word: Word, from: number, to: number): Word {
  const letter = word.box.width / word.text.length
  const x = Math.round(word.box.x + letter * from)
  const width = Math.max(1, Math.round(letter * (to - from)))
  return { ...word, text: word.text.slice(from, to), box: { ...word.box, x, width } }
}

/** Text that is wrapped onto the next line: looked for in neighbouring lines that stand one under the other. */
function acrossLines(lines: TextLine[], query: TextQuery, wanted: string): TextFound[] {
  return lines.flatMap((line) => {
    const block = [line]
    for (let length = 0; length < wanted.length; ) {
      const last = block.at(-1)
      const below = last && lineBelow(lines, last)
      if (!below) break
      block.push(below)
      length += below.text.length
    }
    if (block.length < 2) return []
    const joined = lineOf(block.flatMap(({ words }) => words))
    return inLine(joined, { ...query, text: wanted }).filter(
      (match) => match.box.y + match.box.height > line.box.y + line.box.height,
    )
  })
}

function lineBelow(lines: TextLine[], line: TextLine): TextLine | undefined {
  const bottom = line.box.y + line.box.height
  return lines
    .filter(
      ({ box }) =>
        box.y >= bottom - line.box.height * 0.4 &&
        box.y < bottom + line.box.height * 1.2 &&
        box.x < line.box.x + line.box.width &&
        line.box.x < box.x + box.width,
    )
    .toSorted((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)[0]
}
