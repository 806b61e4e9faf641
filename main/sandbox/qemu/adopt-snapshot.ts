import fs from 'node:fs/promises'
import path from 'node:path'
import { GodHandError } from '../../contract/errors.ts'
import type { SnapshotFiles } from '../sandbox.ts'
import { readSnapshotRecord, SNAPSHOT_DISK, SNAPSHOT_RECORD, type SnapshotRecord } from './snapshot-record.ts'

/** What snapshots are made of, by either way of keeping memory. */
const fileNames = new Set([
  SNAPSHOT_DISK,
  'ram.delta',
  'ram.delta.zst',
  'ram.migration',
  'ram.migration.zst',
  'device.state',
])

/**
 * A snapshot that somebody else made. Its record names other snapshots and files, and a disk can name files of the host
 * for QEMU to open: none of that is believed before it was looked at. Bytes are checked by their hashes afterwards.
 */
export async function examineForeign(
  { id, folder }: SnapshotFiles,
  known: ReadonlySet<string>,
): Promise<SnapshotRecord> {
  const record = await readSnapshotRecord(folder).catch((cause: unknown) => {
    throw refused('its record cannot be read', cause)
  })
  if (record.id !== id) throw refused('its record is that of another snapshot')
  if (record.chain.at(-1) !== id || new Set(record.chain).size !== record.chain.length)
    throw refused('it does not say what it stands on')
  const foreign = record.chain.find((each) => !known.has(each))
  if (foreign !== undefined) throw refused(`it stands on ${foreign.slice(0, 60)}, which is not there`)
  const named = new Set([...Object.keys(record.files), SNAPSHOT_RECORD])
  const there = await fs.readdir(folder)
  if (there.some((name) => !named.has(name)) || !record.files[SNAPSHOT_DISK])
    throw refused('its files are not as recorded')
  for (const name of Object.keys(record.files))
    if (!fileNames.has(name) || !there.includes(name)) throw refused(`${name.slice(0, 60)} is not a file of a snapshot`)
  await examineDisk(path.join(folder, SNAPSHOT_DISK))
  return record
}

const externalData = 1n << 2n

/** A plain qcow2 that names no other file: what it stands on is said on QEMU's command line. */
async function examineDisk(file: string): Promise<void> {
  const handle = await fs.open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(104), 0, 104, 0).finally(() => handle.close())
  if (bytesRead < 104 || buffer.toString('latin1', 0, 4) !== 'QFI\xfb' || buffer.readUInt32BE(4) !== 3)
    throw refused('its disk is not a qcow2 of version 3')
  if (buffer.readBigUInt64BE(8) !== 0n || buffer.readUInt32BE(16) !== 0)
    throw refused('its disk names a file of the host')
  if (buffer.readUInt32BE(32) !== 0) throw refused('its disk is encrypted')
  if ((buffer.readBigUInt64BE(72) & externalData) !== 0n) throw refused('its disk keeps its data in a file of the host')
}

function refused(why: string, cause?: unknown): GodHandError {
  return new GodHandError('corrupt', `The machine is not sound: ${why}.`, { cause })
}
