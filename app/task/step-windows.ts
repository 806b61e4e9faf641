export type StepWindow = { from: number; limit: number }

/** A long trace comes in parts, so that its page opens at once: its beginning first. */
export const firstWindow: StepWindow = { from: 0, limit: 300 }
const page = 1000

/** The parts to fetch after the first: the end, which is what one sees of a task that is over, then what lies between. */
export function furtherWindows(count: number): StepWindow[] {
  const begun = firstWindow.limit
  if (count <= begun) return []
  const end = Math.max(begun, count - begun)
  const between = Array.from({ length: Math.ceil((end - begun) / page) }, (_, n) => {
    const from = begun + n * page
    return { from, limit: Math.min(page, end - from) }
  })
  return [{ from: end, limit: count - end }, ...between]
}
