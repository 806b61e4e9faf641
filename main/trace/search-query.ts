/** What a person types, as FTS5 expressions. Nothing of it is read as an operator: every word is quoted. */
export type SearchQuery = {
  each: string[] // one a word or "quoted phrase"; a trace must match all, in whatever steps
  any: string // all of them, joined by OR: for ranking and showing
}

const mostWords = 8

export function searchQuery(text: string): SearchQuery | null {
  const words = Array.from(text.matchAll(/"([^"]*)"?|(\S+)/g), (match) => ({
    words: (match[1] ?? match[2] ?? '').replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ').trim(),
    quoted: match[1] !== undefined,
  })).filter(({ words }) => words !== '')
  if (words.length === 0) return null
  const last = words.at(-1)
  // The word under the cursor is still being typed: it matches as a beginning.
  const each = words
    .slice(0, mostWords)
    .map((word) => (word === last && !word.quoted ? `"${word.words}"*` : `"${word.words}"`))
  return { each, any: each.join(' OR ') }
}
