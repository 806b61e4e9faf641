export type Sample = { at: number; share: number } // milliseconds; 0 to 1

/** Earlier samples say little about now. */
const windowMs = 30_000
const leastMs = 2000
const leastShare = 0.03

/** Milliseconds to go by the pace of late; null while nobody can say honestly. */
export function timeLeft(samples: readonly Sample[], now: number): number | null {
  const recent = samples.filter(({ at }) => now - at <= windowMs)
  const [first, last] = [recent[0], recent.at(-1)]
  if (!first || !last) return null
  const [took, gained] = [last.at - first.at, last.share - first.share]
  if (took < leastMs || gained < leastShare) return null
  const left = ((1 - last.share) / gained) * took - (now - last.at)
  // Longer without news than it should have taken: the pace no longer holds.
  return left > 0 ? left : null
}

/** With a new report. One that goes backwards belongs to another piece of work, so what was known is forgotten. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1)
  if (last && sample.share < last.share) return [sample]
  return [...samples, sample].slice(-200)
}
