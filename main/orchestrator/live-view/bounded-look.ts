/** What was seen, or null when it took longer than `limitMs` or went wrong: a machine that is slow must not hold up hands. */
export async function boundedLook<T>(
  limitMs: number,
  look: () => Promise<T>,
  onTrouble: (thrown: unknown) => void,
): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(late.resolve, limitMs, null)
  try {
    return await Promise.race([look(), late.promise])
  } catch (thrown) {
    onTrouble(thrown)
    return null
  } finally {
    clearTimeout(timer)
  }
}
