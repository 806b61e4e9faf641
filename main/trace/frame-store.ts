import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { GodHandError } from '../contract/errors.ts'

/** Screenshots as PNG files named by their content, each stored once: <folder>/<first two>/<hash>.png. */
export interface FrameStore {
  /** Does nothing when it is there already. Afterwards the file is whole or absent, never half. */
  put(hash: string, png: Uint8Array): Promise<void>
  /** Null when it is not there, or was lost with the power: pictures are not synced, unlike the steps that name them. */
  get(hash: string): Promise<Buffer | null>
  has(hash: string): Promise<boolean>
  /** The bytes freed; 0 when it was not there. A put of the same frame waits for it, so it is not lost to the removal. */
  remove(hash: string): Promise<number>
  /** Whether somebody put it since then, also when it was there already: a step that shows it may be on its way. */
  putSince(hash: string, time: number): boolean
  /** Every frame that has a file, with the time it was written. */
  files(): AsyncIterable<{ hash: string; writtenAt: number }>
}

/** How many puts are remembered by their time; beyond that the oldest are forgotten. */
const remembered = 50_000

/** Clears what a crash left half written. */
export async function openFrameStore(folder: string): Promise<FrameStore> {
  const unfinished = path.join(folder, 'tmp')
  try {
    await fs.rm(unfinished, { recursive: true, force: true })
    await fs.mkdir(unfinished, { recursive: true })
  } catch (thrown) {
    throw GodHandError.from(thrown)
  }

  /** Hashes come from the wire too: only the exact form may become part of a path. */
  function fileOf(hash: string): string {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new GodHandError('bad_request', 'A frame is named by 64 hex digits.')
    return path.join(folder, hash.slice(0, 2), `${hash}.png`)
  }

  const removals = new Map<string, Promise<number>>()
  const puts = new Map<string, number>()

  function remember(hash: string): void {
    puts.delete(hash)
    puts.set(hash, Date.now())
    const oldest = puts.size > remembered ? puts.keys().next().value : undefined
    if (oldest !== undefined) puts.delete(oldest)
  }

  return {
    async put(hash, png) {
      const file = fileOf(hash)
      if (png.length === 0) throw new GodHandError('bad_request', 'A frame cannot be empty.')
      remember(hash)
      await removals.get(hash)
      if (await hasContent(file)) return
      const temporary = path.join(unfinished, randomUUID())
      try {
        await fs.mkdir(path.dirname(file), { recursive: true })
        await fs.writeFile(temporary, png)
        await fs.rename(temporary, file)
      } catch (thrown) {
        await fs.rm(temporary, { force: true })
        // Two writers of the same frame: Windows refuses the second rename while the first file is being read.
        if (await hasContent(file)) return
        throw GodHandError.from(thrown)
      }
    },

    async get(hash) {
      try {
        const png = await fs.readFile(fileOf(hash))
        return png.length > 0 ? png : null
      } catch (thrown) {
        if (isMissing(thrown)) return null
        throw GodHandError.from(thrown)
      }
    },

    has: async (hash) => hasContent(fileOf(hash)),

    remove(hash) {
      const file = fileOf(hash)
      const removal = removed(file).finally(() => removals.delete(hash))
      removals.set(hash, removal)
      return removal
    },

    putSince: (hash, time) => (puts.get(hash) ?? 0) >= time,

    async *files() {
      for (const name of await fs.readdir(folder)) {
        if (!/^[0-9a-f]{2}$/.test(name)) continue
        for (const file of await fs.readdir(path.join(folder, name))) {
          const hash = /^([0-9a-f]{64})\.png$/.exec(file)?.[1]
          const stat = hash && (await fs.stat(path.join(folder, name, file)).catch(() => null))
          if (hash && stat) yield { hash, writtenAt: stat.mtimeMs }
        }
      }
    },
  }
}

async function removed(file: string): Promise<number> {
  try {
    const { size } = await fs.stat(file)
    await fs.rm(file)
    return size
  } catch (thrown) {
    if (isMissing(thrown)) return 0
    throw GodHandError.from(thrown)
  }
}

/** After a power loss a renamed file may be there without its content. */
async function hasContent(file: string): Promise<boolean> {
  try {
    return (await fs.stat(file)).size > 0
  } catch (thrown) {
    if (isMissing(thrown)) return false
    throw GodHandError.from(thrown)
  }
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'
}
