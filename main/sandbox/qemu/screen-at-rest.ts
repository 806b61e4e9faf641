import { setTimeout as delay } from 'node:timers/promises'
import type { RawFrame, Sandbox } from '../sandbox.ts'

type Rest = { quietMs: number; limitMs: number; onElapsed?: (ms: number) => void }

/** A share of the screen that may change without meaning anything: a blinking cursor, a clock's minute. */
const BLINKING = 0.0005

/** The same picture for a while: nothing is still being drawn. What never rests is taken as it is after the limit. */
export async function screenAtRest(
  machine: Pick<Sandbox, 'capture'>,
  { quietMs, limitMs, onElapsed }: Rest,
  signal?: AbortSignal,
): Promise<void> {
  const began = performance.now()
  let first = await machine.capture()
  let since = performance.now()
  while (performance.now() - since < quietMs && performance.now() - began < limitMs) {
    signal?.throwIfAborted()
    onElapsed?.(performance.now() - began)
    await delay(150)
    const now = await machine.capture()
    // Against the picture at which the rest began: what is written letter by letter adds up.
    if (alike(now, first)) continue
    first = now
    since = performance.now()
  }
}

export function alike(one: RawFrame, other: RawFrame): boolean {
  if (one.width !== other.width || one.height !== other.height) return false
  if (one.rgb.equals(other.rgb)) return true
  const allowed = one.width * one.height * BLINKING
  let different = 0
  for (let at = 0; at < one.rgb.length; at += 3) {
    if (one.rgb[at] === other.rgb[at] && one.rgb[at + 1] === other.rgb[at + 1] && one.rgb[at + 2] === other.rgb[at + 2])
      continue
    if (++different > allowed) return false
  }
  return true
}
