import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openImage } from './guest-image.ts'
import { ensureImage } from './image-builder.ts'
import { guestFiles, imageKey } from './image-key.ts'
import type { BuiltManifest } from './image-manifest.ts'
import { debian } from './recipes/debian.ts'

const GUEST = path.join(import.meta.dirname, 'guest')

let images: string
beforeEach(async () => {
  images = await mkdtemp(path.join(os.tmpdir(), 'images-'))
})
afterEach(() => rm(images, { recursive: true }))

async function writeImage(folder: string, key: string): Promise<void> {
  const output = (file: string) => ({ file, bytes: 4, sha256: createHash('sha256').update('data').digest('hex') })
  const manifest: BuiltManifest = {
    format: 1,
    variant: 'minimal',
    key,
    kernelRelease: '6.1-test',
    screen: { width: 1280, height: 800 },
    diskBytes: 1024,
    commandLine: 'quiet',
    outputs: { disk: output('disk.qcow2'), kernel: output('vmlinuz'), initrd: output('initrd.img') },
    packages: [{ name: 'bash', version: '1', architecture: 'amd64', sha256: 'a'.repeat(64) }],
  }
  await mkdir(folder, { recursive: true })
  for (const file of ['disk.qcow2', 'vmlinuz', 'initrd.img']) await writeFile(path.join(folder, file), 'data')
  await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest))
}

describe('an image on disk', () => {
  it('opens with the paths of its parts', async () => {
    const folder = path.join(images, 'minimal-x')
    await writeImage(folder, 'k'.repeat(64))
    const image = await openImage(folder)
    expect(image?.start).toMatchObject({ kernel: path.join(folder, 'vmlinuz'), commandLine: 'quiet', setup: null })
  })

  const damages: [string, (folder: string) => Promise<void>][] = [
    ['its disk is cut off', (folder) => writeFile(path.join(folder, 'disk.qcow2'), 'd')],
    ['its kernel is missing', (folder) => rm(path.join(folder, 'vmlinuz'))],
    ['its manifest is missing', (folder) => rm(path.join(folder, 'manifest.json'))],
    ['its manifest is not JSON', (folder) => writeFile(path.join(folder, 'manifest.json'), '{"format": 1')],
    ['its manifest lacks a part', (folder) => writeFile(path.join(folder, 'manifest.json'), '{"format":1}')],
  ]
  it.each(damages)('is none when %s', async (_, damage) => {
    const folder = path.join(images, 'minimal-x')
    await writeImage(folder, 'k'.repeat(64))
    await damage(folder)
    expect(await openImage(folder)).toBeUndefined()
  })

  it('is returned without building when its key is that of the recipe and the guest’s files', async () => {
    const files = await guestFiles(path.join(GUEST, 'rootfs'))
    const key = await imageKey(debian.minimal, files, [path.join(GUEST, 'finish.sh')])
    const folder = path.join(images, `minimal-${key.slice(0, 12)}`)
    await writeImage(folder, key)
    const before = await readFile(path.join(folder, 'manifest.json'), 'utf8')
    const started = performance.now()
    const image = await ensureImage({
      variant: 'minimal',
      images,
      cache: path.join(images, 'no-cache'),
      qemuImg: '/nonexistent',
      onProgress: () => expect.unreachable('nothing is built'),
    })
    expect(performance.now() - started).toBeLessThan(200)
    expect(image.folder).toBe(folder)
    expect(await readFile(path.join(folder, 'manifest.json'), 'utf8')).toBe(before)
  })
})
