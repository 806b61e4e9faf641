/** What a person types, as FTS5 expressions. Nothing of it is read as an operator: every word is quoted. */
export type SearchQuery = {
  terms: Term[]
  each: string[] // one a term; a trace must match all, in whatever steps
  any: string // all of them, joined by OR: for counting and showing
  all: string // joined by AND: where they stand together
}
/** A word, or words of a "quoted phrase". `begins`: the last of them may go on. */
export type Term = { words: string; begins: boolean }

const mostWords = 8

export function searchQuery(text: string): SearchQuery | null {
  const found = Array.from(text.matchAll(/"([^"]*)"?|(\S+)/g), (match) => ({
    words: (match[1] ?? match[2] ?? '').replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ').trim(),
    quoted: match[1] !== undefined,
  })).filter(({ words }) => words !== '')
  if (found.length === 0) return null
  const last = found.at(-1)
  // The word under the cursor is still being typed: it matches as a beginning.
  const terms = found
    .slice(0, mostWords)
    .map((word): Term => ({ words: word.words, begins: word === last && !word.quoted }))
  const each = terms.map(({ words, begins }) => `"${words}"${begins ? '*' : ''}`)
  return { terms, each, any: each.join(' OR '), all: each.join(' AND ') }
}
