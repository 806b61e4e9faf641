import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { GodHandError } from '../../contract/errors.ts'

/** Where an export goes: a file, which is there whole or not at all, or a stream. */
export type Destination = string | Writable

export async function writingTo<T>(destination: Destination, work: (to: Writable) => Promise<T>): Promise<T> {
  if (typeof destination !== 'string') return work(destination)
  const unfinished = path.join(path.dirname(destination), `.${path.basename(destination)}.${randomUUID().slice(0, 8)}`)
  try {
    const result = await work(createWriteStream(unfinished))
    await fs.rename(unfinished, destination)
    return result
  } catch (thrown) {
    await fs.rm(unfinished, { force: true })
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')
      throw new GodHandError('not_found', `The folder ${path.dirname(destination)} does not exist.`, { cause: thrown })
    throw GodHandError.from(thrown)
  }
}

/** A cancelled export says so, whatever stream or timer was the first to notice. */
export function cancellation(thrown: unknown, signal: AbortSignal | undefined): unknown {
  if (!signal?.aborted) return thrown
  if (signal.reason instanceof GodHandError) return signal.reason
  return new GodHandError('cancelled', 'The export was cancelled.', { cause: thrown })
}
