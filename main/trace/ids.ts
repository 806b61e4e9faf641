import { randomInt } from 'node:crypto'

export type IdKind = 'task' | 'vm' | 'snap' | 'branch' | 'choice' | 'bench' | 'file' | 'work'

/** Crockford's: no i, l, o, u, and in the order of ASCII, so that ids sort as their numbers do. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz'
const length = 10
/** 40 bits of milliseconds from here last until 2059. */
const epoch = Date.UTC(2025, 0, 1)
const randomValues = 1024

let last = 0

/**
 * task_0q8zk3m1xw: milliseconds and ten random bits. Within a process ids always rise, whatever the clock does, so two
 * are never alike; short, because they are part of socket paths and typed by hand.
 */
export function newId(kind: IdKind, now = Date.now()): string {
  last = Math.max(last + 1, (now - epoch) * randomValues + randomInt(randomValues))
  let text = ''
  for (let rest = last, place = 0; place < length; place++, rest = Math.floor(rest / 32))
    text = digits.charAt(rest % 32) + text
  return `${kind}_${text}`
}
