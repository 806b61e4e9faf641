import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits in characters that are safe in a header, a cookie and a WebSocket subprotocol. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Compares in a time that does not depend on where, or by what length, the two differ. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
