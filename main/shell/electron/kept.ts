import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { WindowPlace } from './window-place.ts'

/** What the window remembers from one start to the next. */
const Kept = z.object({
  place: WindowPlace.nullable().catch(null),
  suspendInBackground: z.boolean().catch(false),
})
export type Kept = z.infer<typeof Kept>

/** Nothing in here is worth a failed start: what can't be read or written counts as never kept. */
export function readKept(file: string): Kept {
  try {
    return Kept.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return { place: null, suspendInBackground: false }
  }
}

export function writeKept(file: string, kept: Kept): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(kept))
    renameSync(`${file}.new`, file)
  } catch {
    // A full or read-only disk is told elsewhere, where it matters.
  }
}
