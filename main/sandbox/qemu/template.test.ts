import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MachineShape } from './argv.ts'
import { Integrity } from './integrity.ts'
import {
  publishTemplate,
  readTemplate,
  TEMPLATE_DISK,
  TEMPLATE_RECORD,
  type TemplateRecord,
  templateKey,
} from './template.ts'

const shape: MachineShape = {
  accelerator: 'tcg',
  memoryMb: 1024,
  cpus: 2,
  start: { kind: 'kernel', kernel: '/i/vmlinuz', initrd: '/i/initrd', arguments: 'quiet', authorizedKey: '/k/id.pub' },
  screen: { width: 1280, height: 800 },
}
const from = {
  image: { key: 'image' },
  qemu: { key: 'qemu and its ROMs' },
  mechanism: 'dirty-pages' as const,
  publicKey: 'ssh-ed25519 AAAA',
  hostCpu: 'a processor',
}

describe('the key of a template', () => {
  it('does not care where things lie', () => {
    const { start } = shape
    const elsewhere = { ...shape, start: { ...start, kernel: '/j/vmlinuz', initrd: '/j/initrd', authorizedKey: '/l' } }
    expect(templateKey(elsewhere, from)).toBe(templateKey(shape, from))
  })

  const changes: [string, MachineShape, typeof from][] = [
    ['QEMU or its firmware', shape, { ...from, qemu: { key: 'newer' } }],
    ['the image', shape, { ...from, image: { key: 'other' } }],
    ['the install’s key', shape, { ...from, publicKey: 'ssh-ed25519 BBBB' }],
    ['the memory', { ...shape, memoryMb: 2048 }, from],
    ['the number of processors', { ...shape, cpus: 1 }, from],
    ['the accelerator', { ...shape, accelerator: 'kvm' }, from],
    [
      'what the kernel is told',
      {
        ...shape,
        start: { ...shape.start, kind: 'kernel', kernel: '', initrd: '', authorizedKey: '', arguments: 'loud' },
      },
      from,
    ],
    ['how it is started', { ...shape, start: { kind: 'firmware', cdrom: null } }, from],
  ]
  it.each(changes)('changes with %s', (_, otherShape, other) => {
    expect(templateKey(otherShape, other)).not.toBe(templateKey(shape, from))
  })

  it('changes with the host’s processor where the guest sees it, and only there', () => {
    const moved = { ...from, hostCpu: 'another' }
    expect(templateKey(shape, moved)).toBe(templateKey(shape, from))
    const fast: MachineShape = { ...shape, accelerator: 'kvm' }
    expect(templateKey(fast, moved)).not.toBe(templateKey(fast, from))
  })
})

describe('a template on disk', () => {
  let home: string
  let folder: string
  const integrity = new Integrity()
  const content = 'a disk'
  const record: TemplateRecord = {
    key: 'k1',
    image: 'desktop',
    imageKey: 'image',
    memoryMb: 1024,
    cpus: 2,
    accelerator: 'tcg',
    mechanism: 'dirty-pages',
    qemuVersion: '10',
    bootMs: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    files: { [TEMPLATE_DISK]: { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') } },
  }
  beforeEach(async () => {
    home = await fs.mkdtemp(path.join(os.tmpdir(), 'gh-template-'))
    const making = path.join(home, 'making')
    folder = path.join(home, 'k1')
    await fs.mkdir(making)
    await fs.writeFile(path.join(making, TEMPLATE_DISK), content)
    await publishTemplate(making, folder, record, integrity)
  })
  afterEach(() => fs.rm(home, { recursive: true }))
  afterAll(() => integrity.close())

  it('is read when it is whole', async () => {
    expect(await readTemplate(folder, 'k1', integrity)).toEqual(record)
  })

  const damages: [string, () => Promise<void>][] = [
    ['a byte of it has changed', () => fs.writeFile(path.join(folder, TEMPLATE_DISK), 'A disk')],
    ['it is cut short', () => fs.truncate(path.join(folder, TEMPLATE_DISK), 2)],
    ['a part is missing', () => fs.rm(path.join(folder, TEMPLATE_DISK))],
    ['its record is cut short', () => fs.truncate(path.join(folder, TEMPLATE_RECORD), 20)],
  ]
  it.each(damages)('is none, and so is made again, when %s', async (_, damage) => {
    await damage()
    expect(await readTemplate(folder, 'k1', integrity)).toBeNull()
  })

  it('is none when it was made of other things', async () => {
    expect(await readTemplate(folder, 'k2', integrity)).toBeNull()
  })
})
