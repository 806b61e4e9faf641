import { execBounded } from './bounded-regex.ts'

export type MatchMode = 'contains' | 'exact' | 'fuzzy' | 'regex'
export type TextQuery = { text: string; match: MatchMode }

/** Where a text was found in another, and how well (1 is letter by letter). */
export type Found = { index: number; text: string; score: number }

/** A fifth of the letters may be misread. */
const fuzzyLimit = 0.2

export function matchText(haystack: string, query: TextQuery): Found | null {
  switch (query.match) {
    case 'exact':
      return haystack === query.text ? { index: 0, text: haystack, score: 1 } : null
    case 'contains': {
      const index = haystack.indexOf(query.text)
      return index < 0 ? null : { index, text: query.text, score: 1 }
    }
    case 'regex': {
      const match = execBounded(query.text, haystack)
      return match && { ...match, score: 1 }
    }
    case 'fuzzy':
      return findFuzzy(haystack, query.text)
  }
}

/**
 * The part of `haystack` with the fewest letters added, lost or changed (Sellers' algorithm), case aside. Null when that is
 * more than a fifth of the query.
 */
export function findFuzzy(haystack: string, query: string): Found | null {
  const needle = fold(query)
  const text = fold(haystack)
  if (needle.length === 0 || needle.length > 500 || text.length > 200_000) {
    const index = text.indexOf(needle)
    return index < 0 || needle.length === 0
      ? null
      : { index, text: haystack.slice(index, index + needle.length), score: 1 }
  }
  // One column a letter of the text: cost and start of the best match that ends there, for each length of the needle.
  let costs = Array.from({ length: needle.length + 1 }, (_, n) => n)
  let starts = new Array<number>(needle.length + 1).fill(0)
  let best = { cost: needle.length, start: 0, end: 0 }
  for (let at = 1; at <= text.length; at++) {
    const nextCosts = [0]
    const nextStarts = [at]
    for (let n = 1; n <= needle.length; n++) {
      const changed = (costs[n - 1] ?? 0) + (needle[n - 1] === text[at - 1] ? 0 : 1)
      const added = (costs[n] ?? 0) + 1
      const lost = (nextCosts[n - 1] ?? 0) + 1
      const cost = Math.min(changed, added, lost)
      nextCosts.push(cost)
      nextStarts.push((cost === changed ? starts[n - 1] : cost === added ? starts[n] : nextStarts[n - 1]) ?? 0)
    }
    costs = nextCosts
    starts = nextStarts
    const cost = costs[needle.length] ?? needle.length
    const start = starts[needle.length] ?? 0
    if (cost < best.cost || (cost === best.cost && start === best.start)) best = { cost, start, end: at }
  }
  if (best.cost > Math.floor(needle.length * fuzzyLimit)) return null
  return { index: best.start, text: haystack.slice(best.start, best.end), score: 1 - best.cost / needle.length }
}

/** Letter by letter the same length as before, so that places found are places in the original. */
function fold(text: string): string {
  let folded = ''
  for (let n = 0; n < text.length; n++) {
    const lower = (text[n] ?? '').toLowerCase()
    folded += lower.length === 1 ? lower : text[n]
  }
  return folded
}
