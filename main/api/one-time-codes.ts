import { newSecret, sameSecret } from './secrets.ts'

const MOST_OPEN = 100

export type OneTimeCodes = {
  issue(): string
  /** True once for a code that was issued and has not run out. */
  redeem(code: string): boolean
}

/** Codes that travel in a link and so may end up in a history or a log: each opens the door once, and not for long. */
export function oneTimeCodes(lifetimeMs = 60 * 60_000, now: () => number = Date.now): OneTimeCodes {
  const open = new Map<string, number>()
  const dropExpired = () => {
    for (const [code, endsAt] of open) if (endsAt <= now()) open.delete(code)
  }
  return {
    issue() {
      dropExpired()
      for (const oldest of open.keys()) {
        if (open.size < MOST_OPEN) break
        open.delete(oldest)
      }
      const code = newSecret()
      open.set(code, now() + lifetimeMs)
      return code
    },
    redeem(code) {
      dropExpired()
      const found = [...open.keys()].filter((candidate) => sameSecret(code, candidate))
      for (const match of found) open.delete(match)
      return found.length > 0
    },
  }
}
