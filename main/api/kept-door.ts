import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { newSecret } from './secrets.ts'

const Kept = z.object({ key: z.string().min(43), madeAt: z.iso.datetime(), port: z.number().int().nullable() })
/** A window left open longer than this needs a fresh link. */
const LIFETIME_MS = 30 * 24 * 60 * 60_000

/** What outlives an engine, so that an open window can go on with the next one: its port, and the key to prove itself by. */
export type KeptDoor = {
  readonly key: string
  readonly port: number | null // where the last engine was found
  remember(port: number): void
}

/** From a file only its owner can read. What is unreadable or too old is made anew. */
export function openKeptDoor(file: string, now: () => number = Date.now): KeptDoor {
  const read = readKept(file)
  const young = read !== null && now() - Date.parse(read.madeAt) < LIFETIME_MS
  const kept = young ? read : { key: newSecret(), madeAt: new Date(now()).toISOString(), port: read?.port ?? null }
  const write = () => {
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, JSON.stringify(kept), { mode: 0o600 })
    renameSync(draft, file)
  }
  if (!young) write()
  return {
    key: kept.key,
    port: kept.port,
    remember(port) {
      if (kept.port === port) return
      kept.port = port
      write()
    },
  }
}

/** One that nothing outlives. */
export const passingDoor = (): KeptDoor => ({ key: newSecret(), port: null, remember: () => {} })

function readKept(file: string): z.infer<typeof Kept> | null {
  try {
    return Kept.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}
