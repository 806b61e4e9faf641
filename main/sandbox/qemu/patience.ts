import { setTimeout as delay } from 'node:timers/promises'

/** Looks until it is done, quickly at first; false when it took too long. */
export async function until(done: () => Promise<boolean>, patienceMs: number): Promise<boolean> {
  const deadline = performance.now() + patienceMs
  for (let wait = 1; !(await done()); wait = Math.min(wait * 2, 20)) {
    if (performance.now() > deadline) return false
    await delay(wait)
  }
  return true
}
