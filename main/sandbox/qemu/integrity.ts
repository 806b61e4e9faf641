import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { GodHandError } from '../../contract/errors.ts'
import { PageThread } from './ram/page-thread.ts'

/** What a record says of a file: how long it is, and the hash of its content. */
export type FileRecord = { bytes: number; sha256: string; sparse?: boolean | undefined }

/**
 * Finds damage before it boots. A file is hashed when it is first used and again whenever its size or times have
 * changed since; in between, the answer stands.
 */
export class Integrity {
  readonly #thread = new PageThread()
  readonly #sound = new Map<string, string>()

  async hash(file: string, sparse = false): Promise<string> {
    return z.string().parse(await this.#thread.run({ kind: 'hash', file, sparse }))
  }

  /** Throws GodHandError('corrupt') naming the first file that is not as recorded. */
  async check(folder: string, files: Record<string, FileRecord>): Promise<void> {
    for (const [name, record] of Object.entries(files)) {
      const file = path.join(folder, name)
      const damaged = (how: string) =>
        new GodHandError('corrupt', `${file} is damaged: ${how}.`, {
          hint: 'A prepared desktop is made again by itself; of a snapshot, restore another one of the same task.',
        })
      const stat = await fs.stat(file, { bigint: true }).catch(() => null)
      if (!stat) throw damaged('it is missing')
      const stamp = [stat.size, stat.mtimeNs, stat.ctimeNs, stat.ino, record.sha256].join(':')
      if (this.#sound.get(file) === stamp) continue
      if (!record.sparse && stat.size !== BigInt(record.bytes))
        throw damaged(`it has ${stat.size} bytes instead of ${record.bytes}`)
      if ((await this.hash(file, record.sparse)) !== record.sha256) throw damaged('its content has changed')
      this.#sound.set(file, stamp)
    }
  }

  /** Whether all is as recorded, for what can simply be made again. */
  holds(folder: string, files: Record<string, FileRecord>): Promise<boolean> {
    return this.check(folder, files).then(
      () => true,
      () => false,
    )
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

export const FileRecords = z.record(
  z.string(),
  z.object({ bytes: z.number(), sha256: z.string().length(64), sparse: z.boolean().optional() }),
)
