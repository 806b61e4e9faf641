import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { examineForeign } from './adopt-snapshot.ts'
import type { SnapshotRecord } from './snapshot-record.ts'

const header = (change: (bytes: Buffer) => void = () => {}) => {
  const bytes = Buffer.alloc(104)
  bytes.write('QFI\xfb', 'latin1')
  bytes.writeUInt32BE(3, 4)
  change(bytes)
  return bytes
}

/** A snapshot as somebody else might send it. */
function foreign(part: Partial<SnapshotRecord> = {}, disk = header(), more: Record<string, string> = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gh-adopt-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const file = { bytes: 1, sha256: 'a'.repeat(64) }
  const record = {
    version: 1,
    id: 'snap_b',
    image: 'desktop',
    templateKey: 'k',
    blank: false,
    memoryMb: 512,
    cpus: 1,
    mechanism: 'dirty-pages',
    chain: ['snap_a', 'snap_b'],
    files: { 'disk.qcow2': file, 'ram.delta': file, 'device.state': file },
    ...part,
  }
  fs.writeFileSync(path.join(folder, 'snapshot.json'), JSON.stringify(record))
  fs.writeFileSync(path.join(folder, 'disk.qcow2'), disk)
  for (const name of ['ram.delta', 'device.state']) fs.writeFileSync(path.join(folder, name), 'x')
  for (const [name, text] of Object.entries(more)) fs.writeFileSync(path.join(folder, name), text)
  return examineForeign({ id: 'snap_b', folder }, new Set(['snap_a', 'snap_b']))
}

test('a sound one is taken', async () => {
  await expect(foreign()).resolves.toMatchObject({ id: 'snap_b' })
})

const file = { bytes: 1, sha256: 'a'.repeat(64) }
test.each([
  [
    'a disk that stands on a file of the host',
    () =>
      foreign(
        {},
        header((disk) => disk.writeBigUInt64BE(104n, 8)),
      ),
  ],
  [
    'a disk that keeps its data in a file of the host',
    () =>
      foreign(
        {},
        header((disk) => disk.writeBigUInt64BE(4n, 72)),
      ),
  ],
  [
    'an encrypted disk',
    () =>
      foreign(
        {},
        header((disk) => disk.writeUInt32BE(1, 32)),
      ),
  ],
  ['a disk that is none', () => foreign({}, Buffer.from('#!/bin/sh'))],
  ['a chain that leaves the folder', () => foreign({ chain: ['../../../etc', 'snap_b'] })],
  ['a chain that ends elsewhere', () => foreign({ chain: ['snap_b', 'snap_a'] })],
  ['a chain with one that did not come along', () => foreign({ chain: ['snap_z', 'snap_b'] })],
  ['the record of another snapshot', () => foreign({ id: 'snap_a' })],
  ['a file that is not recorded', () => foreign({}, header(), { 'qemu.conf': 'x' })],
  ['a file of another kind', () => foreign({ files: { 'disk.qcow2': file, '../../ssh/id': file } })],
  ['a record that is none', () => foreign({ version: 2 as 1 })],
])('%s is refused', async (_, make) => {
  await expect(make()).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringMatching(/^The machine is not sound/),
  })
})
