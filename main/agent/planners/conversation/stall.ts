import { CutShort } from './retry.ts'

/** Runs something that must show a sign of life now and then; silence for `limitMs` counts as a cut connection. */
export async function withStallLimit<T>(
  limitMs: number,
  outer: AbortSignal,
  run: (signal: AbortSignal, alive: () => void) => Promise<T>,
): Promise<T> {
  const stall = new AbortController()
  let timer = setTimeout(() => stall.abort(), limitMs)
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stall.abort(), limitMs)
  }
  try {
    return await run(AbortSignal.any([outer, stall.signal]), alive)
  } catch (thrown) {
    if (stall.signal.aborted) throw new CutShort(`nothing came for ${Math.round(limitMs / 1000)} s`)
    throw thrown
  } finally {
    clearTimeout(timer)
  }
}
