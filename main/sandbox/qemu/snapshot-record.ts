import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { GodHandError } from '../../contract/errors.ts'
import { FileRecords } from './integrity.ts'

/** What a snapshot's folder says about itself. Written last: a folder without it is not a snapshot. */
export const SnapshotRecord = z.object({
  version: z.literal(1),
  id: z.string(),
  image: z.string(),
  templateKey: z.string(),
  blank: z.boolean(), // taken of a machine that was booted, not resumed
  memoryMb: z.number().int(),
  cpus: z.number().int(),
  mechanism: z.enum(['dirty-pages', 'mapped-ram']),
  /** Snapshots whose disks this one's disk stands on, the oldest first, itself last. */
  chain: z.array(z.string()),
  files: FileRecords,
})
export type SnapshotRecord = z.infer<typeof SnapshotRecord>

export const SNAPSHOT_RECORD = 'snapshot.json'
export const SNAPSHOT_DISK = 'disk.qcow2'

/** Makes everything durable, then says so. Returns the bytes the disk layer takes. */
export async function writeSnapshotRecord(folder: string, record: SnapshotRecord): Promise<number> {
  const disk = await fs.open(path.join(folder, SNAPSHOT_DISK), 'r')
  const { blocks } = await disk
    .datasync()
    .then(() => disk.stat())
    .finally(() => disk.close())
  await replaceSnapshotRecord(folder, record)
  return blocks * 512
}

export async function replaceSnapshotRecord(folder: string, record: SnapshotRecord): Promise<void> {
  const temporary = path.join(folder, `${SNAPSHOT_RECORD}.new`)
  await fs.writeFile(temporary, JSON.stringify(record, null, 2), { flush: true })
  await fs.rename(temporary, path.join(folder, SNAPSHOT_RECORD))
}

export async function readSnapshotRecord(folder: string): Promise<SnapshotRecord> {
  const text = await fs.readFile(path.join(folder, SNAPSHOT_RECORD), 'utf8').catch((cause: unknown) => {
    throw new GodHandError('not_found', 'This snapshot has no files any more.', { cause })
  })
  return SnapshotRecord.parse(JSON.parse(text))
}
