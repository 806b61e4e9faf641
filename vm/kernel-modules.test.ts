import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dependencies, moduleIndex, moduleName, moduleTree } from './kernel-modules.ts'

const modinfo = (...pairs: string[]) => Buffer.from(`\x7fELF\0license=GPL\0${pairs.join('\0')}\0vermagic=6\0`, 'latin1')

let folder: string
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(os.tmpdir(), 'modules-')), '6.1-test')
  const put = async (file: string, data: Buffer | string) => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
    await writeFile(path.join(folder, file), data)
  }
  await put('modules.builtin', 'kernel/drivers/virtio/virtio.ko\n')
  await put('kernel/fs/ext4.ko', modinfo('depends=jbd2,crc16', 'alias=fs-ext4'))
  await put('kernel/fs/jbd2.ko', modinfo('depends=crc16'))
  await put('kernel/lib/crc16.ko', modinfo('depends='))
  await put('kernel/drivers/virtio-gpu.ko', modinfo('depends=virtio', 'alias=virtio:d00000010v*'))
})
afterEach(() => rm(path.dirname(folder), { recursive: true }))

describe('the kernel’s modules', () => {
  it('come each after what they depend on', async () => {
    const tree = await moduleTree(folder, 'busybox')
    expect((await tree.load(['ext4', 'crc16'])).map(({ name }) => name)).toEqual(['crc16', 'jbd2', 'ext4'])
  })

  it('are left out when built into the kernel, and found whether written with - or _', async () => {
    const tree = await moduleTree(folder, 'busybox')
    expect((await tree.load(['virtio', 'virtio_gpu'])).map(({ name }) => name)).toEqual(['virtio_gpu'])
    expect(moduleName('kernel/crypto/crc32c-intel.ko.xz')).toBe('crc32c_intel')
  })

  it('that do not exist are an error with the name in it', async () => {
    const tree = await moduleTree(folder, 'busybox')
    await expect(tree.load(['nonesuch'])).rejects.toMatchObject({ code: 'image_build_failed', message: /nonesuch/ })
  })

  it('are indexed so that reading a line from its end loads dependencies first', async () => {
    const tree = await moduleTree(folder, 'busybox')
    const { dep, alias } = moduleIndex(await tree.load(['ext4', 'virtio-gpu']))
    expect(dep.split('\n')).toContain('ext4.ko: jbd2.ko crc16.ko')
    expect(dep.split('\n')).toContain('virtio_gpu.ko:')
    expect(alias).toBe('alias fs-ext4 ext4\nalias virtio:d00000010v* virtio_gpu\n')
  })

  it('say nothing when they have no dependencies', () => {
    expect(dependencies(modinfo('depends='))).toEqual([])
    expect(dependencies(Buffer.from('no modinfo'))).toEqual([])
  })
})
