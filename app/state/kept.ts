import type { z } from 'zod'

/** Small choices kept in this browser. Storage can be off, full, or hold something old: then the fallback is true. */

export function readKept<T>(key: string, schema: z.ZodType<T>, fallback: T): T {
  try {
    const stored = localStorage.getItem(`godhand.${key}`)
    const parsed = stored === null ? undefined : schema.safeParse(JSON.parse(stored))
    return parsed?.success ? parsed.data : fallback
  } catch {
    return fallback
  }
}

export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(`godhand.${key}`, JSON.stringify(value))
  } catch {
    // Nothing depends on it being kept.
  }
}
