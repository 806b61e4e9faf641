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

/** A chain of three with a side branch from the first: a ← b ← c, a ← d. No machine lives on it any more. */
async function tree() {
  const trunk = await call('vm.create', {})
  const snap = async (machineId: string) => (await call('vm.snapshot', { machineId })).id
  const a = await snap(trunk.id)
  const side = await call('vm.restore', { snapshotId: a })
  const b = await snap(trunk.id)
  const c = await snap(trunk.id)
  const d = await snap(side.id)
  await call('vm.destroy', { machineId: trunk.id })
  await call('vm.destroy', { machineId: side.id })
  return { a, b, c, d }
}
const left = async () => (await call('snapshot.list', {})).map(({ id }) => id).sort()

describe('removing a snapshot', () => {
  it('is refused while others stand on it, and frees its files when nothing does', async () => {
    const { b, c } = await tree()
    await expect(call('snapshot.remove', { snapshotId: b })).rejects.toMatchObject({ code: 'conflict' })
    const { freedBytes } = await call('snapshot.remove', { snapshotId: c })
    expect(freedBytes).toBeGreaterThan(0)
    expect(await fs.readdir(test.paths.snapshots)).not.toContain(c)
    await call('snapshot.remove', { snapshotId: b })
  })

  it('is refused while a machine that runs on from it could snapshot again', async () => {
    const machine = await call('vm.create', {})
    const { id } = await call('vm.snapshot', { machineId: machine.id })
    await expect(call('snapshot.remove', { snapshotId: id })).rejects.toThrow(/running machine/)
  })

  it('is refused while it is pinned', async () => {
    const { c } = await tree()
    await call('snapshot.pin', { snapshotId: c, pinned: true })
    await expect(call('snapshot.remove', { snapshotId: c })).rejects.toThrow(/pinned/)
  })
})

describe('keeping to the budget', () => {
  it('takes the oldest ends first and goes up the branches', async () => {
    const { a, b, c, d } = await tree()
    await call('snapshot.budget', { bytes: 0 })
    const { removed } = await call('snapshot.collect', {})
    expect(removed).toEqual([c, b, d, a])
    expect(await left()).toEqual([])
  })

  it('does nothing while the budget holds', async () => {
    await tree()
    expect((await call('snapshot.collect', {})).removed).toEqual([])
  })

  it('asks before it removes what a person has named, and what stands under it stays', async () => {
    const { a, b, c, d } = await tree()
    await call('snapshot.label', { snapshotId: c, label: 'before the update' })
    await call('snapshot.budget', { bytes: 0 })
    const collected = await call('snapshot.collect', {})
    expect(collected).toMatchObject({ removed: [d], needsConsent: [c] })
    expect(await left()).toEqual([a, b, c].sort())
    expect((await call('snapshot.collect', { includeNamed: true })).removed).toEqual([c, b, a])
  })

  it('never takes a pinned one, even with consent', async () => {
    const { a, b, c } = await tree()
    await call('snapshot.pin', { snapshotId: c, pinned: true })
    await call('snapshot.budget', { bytes: 0 })
    await call('snapshot.collect', { includeNamed: true })
    expect(await left()).toEqual([a, b, c].sort())
  })

  it('tells what it would do without doing it', async () => {
    await tree()
    await call('snapshot.budget', { bytes: 0 })
    expect((await call('snapshot.collect', { dryRun: true })).removed).toHaveLength(4)
    expect(await left()).toHaveLength(4)
  })
})

describe('what snapshots cost', () => {
  it('is told as their own and what they share', async () => {
    const { a, b, c } = await tree()
    const { snapshots } = await call('snapshot.usage', {})
    const use = (id: string) => snapshots.find(({ snapshot }) => snapshot.id === id)
    expect(use(a)).toMatchObject({ sharedBytes: 0, removable: false })
    expect(use(c)?.sharedBytes).toBe((use(a)?.ownBytes ?? 0) + (use(b)?.ownBytes ?? 0))
    expect(use(c)?.removable).toBe(true)
  })
})

describe('files that belong to no snapshot', () => {
  it('are swept at the next start, and those that belong to one stay', async () => {
    const { c } = await tree()
    const stray = path.join(test.paths.snapshots, 'snap_halfmade')
    await fs.mkdir(stray)
    await test.engine.close()
    const { openEngine } = await import('./engine.ts')
    const { openLog } = await import('../log.ts')
    const { FakeDriver } = await import('../sandbox/fake/driver.ts')
    const engine = await openEngine({ paths: test.paths, log: openLog(test.paths), driver: new FakeDriver() })
    expect(await fs.readdir(test.paths.snapshots)).toContain(c)
    expect(await fs.readdir(test.paths.snapshots)).not.toContain('snap_halfmade')
    await engine.close()
  })
})
