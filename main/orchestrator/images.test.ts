import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestEngine, type TestEngine } from './testing.ts'

let test: TestEngine
beforeEach(async () => {
  test = await openTestEngine()
})
afterEach(() => test.close())

const call: TestEngine['engine']['call'] = (method, input) => test.engine.call(method, input)

/** As the builder leaves it: files of the sizes its manifest names. */
async function put(key: string, builtAt: Date): Promise<string> {
  const id = `desktop-${key.repeat(12)}`
  const folder = path.join(test.paths.images, id)
  await fs.mkdir(folder, { recursive: true })
  const output = async (file: string) => {
    await fs.writeFile(path.join(folder, file), 'content')
    return { file, bytes: 7, sha256: key.repeat(64) }
  }
  const manifest = {
    format: 1,
    variant: 'desktop',
    key: key.repeat(64),
    kernelRelease: '6.1',
    screen: { width: 1280, height: 800 },
    diskBytes: 1024,
    commandLine: 'quiet',
    outputs: { disk: await output('disk.qcow2'), kernel: await output('vmlinuz'), initrd: await output('initrd.img') },
    packages: [],
  }
  const file = path.join(folder, 'manifest.json')
  await fs.writeFile(file, JSON.stringify(manifest))
  await fs.utimes(file, builtAt, builtAt)
  return id
}

describe('the images of this host', () => {
  it('are listed with size and hash, the newest first, and half ones are not', async () => {
    const older = await put('a', new Date('2026-01-01'))
    const newer = await put('b', new Date('2026-02-01'))
    await fs.truncate(path.join(test.paths.images, await put('c', new Date('2026-03-01')), 'disk.qcow2'), 3)
    const images = await call('image.list', {})
    expect(images.map(({ id }) => id)).toEqual([newer, older])
    expect(images[0]).toMatchObject({ name: 'desktop', bytes: 21, diskSha256: 'b'.repeat(64) })
  })

  it('go when asked, except the one that machines stand on', async () => {
    const older = await put('a', new Date('2026-01-01'))
    const newer = await put('b', new Date('2026-02-01'))
    const { id: machineId } = await call('vm.create', {})
    await expect(call('image.remove', { imageId: newer })).rejects.toMatchObject({ code: 'conflict' })
    expect(await call('image.remove', { imageId: older })).toEqual({ freedBytes: 21 })
    await call('vm.destroy', { machineId })
    for (const key of ['b', 'c']) {
      await fs.mkdir(path.join(test.paths.templates, key), { recursive: true })
      const record = JSON.stringify({ imageKey: key.repeat(64) }, null, 2)
      await fs.writeFile(path.join(test.paths.templates, key, 'template.json'), record)
    }
    await call('image.remove', { imageId: newer })
    expect(await fs.readdir(test.paths.images)).toEqual([])
    expect(await fs.readdir(test.paths.templates)).toEqual(['c']) // what was pre-booted of it goes along
    await expect(call('image.remove', { imageId: newer })).rejects.toMatchObject({ code: 'not_found' })
  })
})
