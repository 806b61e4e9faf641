import type { Term } from './search-query.ts'

/** Words shown around what was found, as many as SQLite's own snippet would; that one takes milliseconds on a full screen of text. */
const shownWords = 14
const before = 3

type Word = { text: string; from: number; to: number }
type Span = { first: number; last: number; term: number }

/** The part of a text in which most of what was looked for stands, «marked». The first of several that are as good. */
export function excerpt(texts: readonly string[], terms: readonly Term[]): string {
  const wanted = terms.map(({ words, begins }) => ({ words: wordsOf(words).map(({ text }) => text), begins }))
  let best = { score: -1, text: '', words: [] as Word[], spans: [] as Span[] }
  for (const text of texts) {
    const words = wordsOf(text)
    const spans = spansIn(words, wanted)
    const score = new Set(spans.map(({ term }) => term)).size
    if (score > best.score) best = { score, text, words, spans }
  }
  return shown(best.text, best.words, best.spans)
}

/** As the index splits and folds them: letters and digits, without case and accents. */
function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(/[\p{L}\p{N}\p{M}]+/gu), (match) => ({
    text: match[0].normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
    from: match.index,
    to: match.index + match[0].length,
  }))
}

function spansIn(words: Word[], wanted: { words: string[]; begins: boolean }[]): Span[] {
  const spans: Span[] = []
  for (let first = 0; first < words.length; first++)
    for (const [term, { words: looked, begins }] of wanted.entries()) {
      const fits = looked.every((part, n) => {
        const word = words[first + n]?.text ?? ''
        return begins && n === looked.length - 1 ? word.startsWith(part) : word === part
      })
      if (fits && looked.length > 0) spans.push({ first, last: first + looked.length - 1, term })
    }
  return spans
}

function shown(text: string, words: Word[], spans: Span[]): string {
  if (words.length === 0) return ''
  const start = densest(spans)
  const from = Math.max(0, Math.min(start - before, words.length - shownWords))
  const to = Math.min(words.length, from + shownWords) - 1
  let at = from === 0 ? 0 : (words[from]?.from ?? 0)
  let out = from === 0 ? '' : '…'
  for (const { first, last } of spans) {
    const [opens, closes] = [words[first]?.from ?? 0, words[last]?.to ?? 0]
    if (first < from || last > to || opens < at) continue
    out += `${text.slice(at, opens)}«${text.slice(opens, closes)}»`
    at = closes
  }
  const end = to === words.length - 1 ? text.length : (words[to]?.to ?? 0)
  return out + text.slice(at, end) + (to === words.length - 1 ? '' : '…')
}

/** Where within the words that fit most different terms begin. */
function densest(spans: Span[]): number {
  let best = { at: spans[0]?.first ?? 0, terms: 0 }
  for (const [n, { first }] of spans.entries()) {
    const terms = new Set<number>()
    for (let next = n; (spans[next]?.last ?? Number.POSITIVE_INFINITY) < first + shownWords - before; next++)
      terms.add(spans[next]?.term ?? 0)
    if (terms.size > best.terms) best = { at: first, terms: terms.size }
  }
  return best.at
}
