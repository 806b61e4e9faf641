import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findImage } from '../../../vm/find-image.ts'
import { type ImportOptions, importImage } from '../../../vm/import-image.ts'
import { ensureQemuBundle, findSystemQemu } from '../../../vm/qemu-bundle.ts'
import { echoCdrom, echoDisk } from '../../../vm/testing/echo-system.ts'
import { currentPaths, pathsIn } from '../../paths.ts'
import type { Sandbox } from '../sandbox.ts'
import { QemuDriver } from './driver.ts'
import { snapshotFolder } from './testing.ts'

/** A system that is not ours and has no way in: seen and used from outside alone. */

const home = await fs.mkdtemp(path.join(os.tmpdir(), 'gh-i-'))
const paths = pathsIn(home)
const shared = currentPaths()
let driver: QemuDriver
let order: Omit<ImportOptions, 'file' | 'name'>

beforeAll(async () => {
  const { qemu: folder, cache } = shared
  const qemu = (await findSystemQemu()) ?? (await ensureQemuBundle({ folder, cache, onProgress: () => {} }))
  const find = (name: string) => findImage(paths.images, name).catch(() => findImage(shared.images, name))
  driver = new QemuDriver({ paths, qemu, findImage: find })
  const { images } = paths
  order = { diskGb: 1, restSeconds: 2, sshUser: null, images, qemuImg: qemu.img, onProgress: () => {} }
})
afterAll(async () => {
  await driver.close()
  await fs.rm(home, { recursive: true, force: true })
})

let made = 0
const create = (image: string, fromSnapshot?: { id: string; folder: string }) =>
  driver.create({ id: `m${made++}`, image, memoryMb: 256, cpus: 1, fromSnapshot })
const press = (machine: Sandbox, code: string) =>
  machine.input([true, false].map((down) => ({ kind: 'key' as const, code, down })))
const picture = async (machine: Sandbox) => (await machine.capture()).rgb.toString('base64')
const differs = (machine: Sandbox, from: string) =>
  expect.poll(async () => (await picture(machine)) === from, { timeout: 30_000 }).toBe(false)
const shows = (machine: Sandbox, what: string) =>
  expect.poll(async () => (await picture(machine)) === what, { timeout: 30_000 }).toBe(true)

async function importAs(name: string, content: Buffer): Promise<void> {
  const file = path.join(home, `${name}.img`)
  await fs.writeFile(file, content)
  await importImage({ ...order, file, name })
}

describe('a disk somebody brings', () => {
  it('starts, takes keys, and is kept, restored and forked without a way in for commands', async () => {
    await importAs('echo', echoDisk())
    const machine = await create('echo')
    expect(machine.screen).toEqual({ width: 720, height: 400 })
    const greeting = await picture(machine)
    await press(machine, 'a')
    await differs(machine, greeting)
    const a = await picture(machine)
    const kept = await snapshotFolder(paths, 'snap_echo')
    await machine.snapshot(kept)
    await press(machine, 'b')
    await differs(machine, a)
    const ab = await picture(machine)

    const [one, two] = await Promise.all([create('echo', kept), create('echo', kept)])
    await shows(one, a)
    await press(one, 'b')
    await shows(one, ab)
    await shows(two, a)
    const deeper = await snapshotFolder(paths, 'snap_deeper')
    await one.snapshot(deeper)
    await shows(await create('echo', deeper), ab)
    await shows(await create('echo'), greeting)

    await expect(machine.exec('true')).rejects.toMatchObject({ code: 'unsupported' })
    expect(machine.canExec).toBe(false)
    await machine.pause()
    await machine.resume()
    await Promise.all([machine, one, two].map((each) => each.destroy()))
  })

  it('is the same image when it is brought again, and machines find it by its whole name', async () => {
    const file = path.join(home, 'again.img')
    await fs.writeFile(file, echoDisk())
    const first = await importImage({ ...order, file, name: 'again' })
    const manifest = await fs.readFile(path.join(first.folder, 'manifest.json'))
    await fs.rm(first.folder, { recursive: true })
    const second = await importImage({ ...order, file, name: 'again' })
    expect(await fs.readFile(path.join(second.folder, 'manifest.json'))).toEqual(manifest)
    await importImage({ ...order, file, name: 'again-2' })
    expect((await findImage(paths.images, 'again')).folder).toBe(second.folder)
  })

  it('is refused when it stands on another file of this host, is nothing a disk can be, or takes our name', async () => {
    const at = (name: string) => path.join(home, name)
    await fs.writeFile(at('secret.txt'), 'x'.repeat(4096))
    const create = ['create', '-q', '-f', 'qcow2']
    await execa(order.qemuImg, [...create, '-b', at('secret.txt'), '-F', 'raw', at('leaning.qcow2')])
    await execa(order.qemuImg, [...create, '-o', `data_file=${at('secret.txt')}`, at('apart.qcow2'), '4096'])
    await fs.writeFile(at('empty.img'), '')
    const bring = (file: string, name = 'bad') => importImage({ ...order, file: at(file), name })
    await expect(bring('leaning.qcow2')).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/stands on another/),
    })
    await expect(bring('apart.qcow2')).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/stands on another/),
    })
    await expect(bring('empty.img')).rejects.toMatchObject({ code: 'bad_request' })
    await expect(bring('nothing.img')).rejects.toMatchObject({ code: 'not_found' })
    await expect(bring('secret.txt', 'desktop')).rejects.toMatchObject({ code: 'conflict' })
    expect((await fs.readdir(paths.images)).filter((name) => name.startsWith('bad') || name.startsWith('.'))).toEqual(
      [],
    )
  })

  it('may be a CD, with an empty disk beside it', async () => {
    await importAs('echo-cd', echoCdrom())
    const machine = await create('echo-cd')
    const greeting = await picture(machine)
    await press(machine, 'x')
    await differs(machine, greeting)
    await machine.destroy()
  })
})
