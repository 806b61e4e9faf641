import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from '../engine.ts'
import { silentLog } from '../log.ts'
import { pathsIn } from '../paths.ts'
import { FakeDriver } from '../sandbox/fake/driver.ts'
import { openStore } from '../trace/store.ts'
import { openEngine } from './engine.ts'

let root: string
let engine: Engine
const home = () => path.join(root, 'home')
const usual = () => path.join(home(), 'snapshots')
const moved = () => path.join(root, 'other', 'godhand-snapshots')
const start = async () => {
  engine = await openEngine({ paths: pathsIn(home()), log: silentLog, driver: new FakeDriver() })
}
const files = (folder: string) => fs.readdir(folder).catch(() => [])

beforeEach(async () => {
  root = await fs.mkdtemp(path.join(os.tmpdir(), 'gh-place-'))
  await fs.mkdir(path.join(root, 'other'))
  await start()
})
afterEach(async () => {
  await engine.close()
  await fs.rm(root, { recursive: true, force: true })
})

async function keepOne(): Promise<string> {
  const { id: machineId } = await engine.call('vm.create', {})
  await engine.call('vm.act', { machineId, action: { type: 'key', chord: 'a' } })
  const { id } = await engine.call('vm.snapshot', { machineId })
  await engine.call('vm.destroy', { machineId })
  return id
}

/** That it boots is the proof that it is there. */
async function restores(snapshotId: string): Promise<void> {
  const { id: machineId } = await engine.call('vm.restore', { snapshotId })
  await engine.call('vm.destroy', { machineId })
}

/** As a kill -9 leaves it: what the store says, without the engine's own clean-up after it. */
async function crash(leave: (set: (key: string, value: string) => void) => Promise<void>): Promise<void> {
  await engine.close()
  const store = openStore(pathsIn(home()).database)
  await leave((key, value) => store.meta.set(key, value))
  store.close()
  await start()
}

describe('moving the snapshots', () => {
  it('takes them to the new place, where old and new ones are found after a restart', async () => {
    const before = await keepOne()
    await engine.call('snapshot.move', { folder: path.join(root, 'other') })
    const after = await keepOne()
    expect(await files(usual())).toEqual([])
    expect((await files(moved())).sort()).toEqual([before, after].sort())
    await engine.close()
    await start()
    await restores(before)
    await restores(after)
  })

  it('is refused while machines live, and into a folder that holds something', async () => {
    const machine = await engine.call('vm.create', {})
    const move = () => engine.call('snapshot.move', { folder: path.join(root, 'other') })
    await expect(move()).rejects.toMatchObject({ code: 'conflict' })
    await engine.call('vm.destroy', { machineId: machine.id })
    await fs.mkdir(moved(), { recursive: true })
    await fs.writeFile(path.join(moved(), 'diary.txt'), 'mine')
    await expect(move()).rejects.toMatchObject({ code: 'conflict' })
    expect(await files(moved())).toEqual(['diary.txt'])
  })

  it('that was killed while copying leaves all where it was, and no half copy', async () => {
    const id = await keepOne()
    await crash(async (set) => {
      set('snapshots.movingTo', moved())
      await fs.mkdir(path.join(moved(), id), { recursive: true })
      await fs.writeFile(path.join(moved(), id, 'memory.json'), '{"po')
    })
    expect(await files(path.dirname(moved()))).toEqual([])
    await restores(id)
  })

  it('that was killed while removing the old place is finished at the next start', async () => {
    const id = await keepOne()
    await crash(async (set) => {
      await fs.cp(usual(), moved(), { recursive: true })
      set('snapshots.folder', moved())
      set('snapshots.left', usual())
    })
    expect(await files(usual())).toEqual([])
    await restores(id)
  })

  it('keeps the old files as long as the new place cannot be seen', async () => {
    const id = await keepOne()
    await crash(async (set) => {
      set('snapshots.folder', moved())
      set('snapshots.left', usual())
    })
    expect(await files(usual())).toEqual([id])
    expect((await engine.call('engine.info', {})).notices.join()).toContain('not there')
  })
})
