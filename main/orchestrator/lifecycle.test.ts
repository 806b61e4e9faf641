import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CreateMachine } from '../contract/machine.ts'
import type { EngineEvent } from '../contract/rpc.ts'
import { silentLog } from '../log.ts'
import { pathsIn } from '../paths.ts'
import { FakeDriver } from '../sandbox/fake/driver.ts'
import { openFrameStore } from '../trace/frame-store.ts'
import { openStore, type Store } from '../trace/store.ts'
import { Events } from './events.ts'
import { Lifecycle } from './lifecycle.ts'
import { Machines } from './machines.ts'
import { SnapshotKeeper } from './snapshot-keeper.ts'

const MINUTE = 60_000
const wish: CreateMachine = { image: 'desktop', boot: false, allow: [] }

let home: string
let store: Store
let driver: FakeDriver
let machines: Machines
let lifecycle: Lifecycle
let told: EngineEvent[]

beforeEach(async () => {
  home = await fs.mkdtemp(path.join(os.tmpdir(), 'gh-life-'))
  const paths = pathsIn(home)
  store = openStore(paths.database)
  driver = new FakeDriver()
  const events = new Events()
  told = []
  events.on((event) => told.push(event))
  machines = new Machines({ paths, store, frames: await openFrameStore(paths.frames), driver, events })
  lifecycle = new Lifecycle({ machines, store, log: silentLog })
})
afterEach(async () => {
  await lifecycle.close()
  await driver.close()
  store.close()
  await fs.rm(home, { recursive: true, force: true })
})

const later = (minutes: number) => lifecycle.sweep(Date.now() + minutes * MINUTE)
const state = (id: string) => machines.list().find((machine) => machine.id === id)?.state
const suspended = { kind: 'paused', suspended: true }

describe('a machine nobody uses', () => {
  it('sleeps after half an hour and is itself again at its next use', async () => {
    const { id } = await machines.create(wish)
    await machines.use(id, (sandbox) => sandbox.writeFile('/note', Buffer.from('kept')))
    await later(29)
    expect(state(id)).toEqual({ kind: 'running' })
    await later(31)
    expect(state(id)).toEqual(suspended)
    expect(driver.machines[0]?.state.kind).toBe('dead')
    const note = await machines.use(id, (sandbox) => sandbox.readFile('/note'))
    expect(note.toString()).toBe('kept')
    expect(state(id)).toEqual({ kind: 'running' })
  })

  it('wakes once for all who come at the same time', async () => {
    const { id } = await machines.create(wish)
    await machines.suspend(id)
    await Promise.all([1, 2, 3].map(() => machines.use(id, (sandbox) => sandbox.capture())))
    expect(driver.machines).toHaveLength(2)
  })

  it('sleeps on while somebody only looks at its picture', async () => {
    const { id } = await machines.create(wish)
    const before = await machines.screenshot(id)
    await machines.suspend(id)
    expect(await machines.screenshot(id)).toEqual(before)
    expect(state(id)).toEqual(suspended)
  })

  it('keeps the snapshot it sleeps in from being removed', async () => {
    const { id } = await machines.create(wish)
    await machines.suspend(id)
    expect(machines.heads()).toEqual(new Set(store.snapshots.list().map((snapshot) => snapshot.id)))
  })

  it('can be ended in its sleep', async () => {
    const { id } = await machines.create(wish)
    await machines.suspend(id)
    await machines.destroy(id)
    expect(machines.list()).toEqual([])
    expect(told.at(-1)).toMatchObject({ type: 'machine', machine: { id, state: { kind: 'dead', reason: null } } })
    expect(store.machines.get(id)?.endedAt).not.toBeNull()
  })

  it('is there after a restart of the engine, asleep, and is itself again at its next use', async () => {
    const { id } = await machines.create({ ...wish, name: 'mine' })
    await machines.use(id, (sandbox) => sandbox.writeFile('/note', Buffer.from('kept')))
    await machines.suspend(id)
    expect(store.recoverInterrupted().machines).toEqual([]) // what the next engine does first
    const next = new Machines({
      paths: pathsIn(home),
      store,
      frames: await openFrameStore(pathsIn(home).frames),
      driver,
      events: new Events(),
    })
    expect(next.list()).toMatchObject([{ id, name: 'mine', state: suspended }])
    expect(next.awakeCount).toBe(0)
    const note = await next.use(id, (sandbox) => sandbox.readFile('/note'))
    expect(note.toString()).toBe('kept')
    expect(store.recoverInterrupted().machines).toMatchObject([{ id }]) // awake, it ends with its engine
  })

  it('is suspended at once when a person says so, and only then', async () => {
    const { id } = await machines.create(wish)
    await machines.use(id, async () => {
      await expect(machines.suspendNow(id)).rejects.toMatchObject({ code: 'conflict' })
    })
    expect((await machines.suspendNow(id)).state).toEqual(suspended)
    expect((await machines.suspendNow(id)).state).toEqual(suspended)
  })

  it('stays awake where the person wants no sleep', async () => {
    store.meta.set('machines.idleSuspendMinutes', '0')
    const { id } = await machines.create(wish)
    await later(600)
    expect(state(id)).toEqual({ kind: 'running' })
  })
})

describe('snapshots over the budget', () => {
  it('go by themselves, the oldest first, but never what a person has named or a machine stands on', async () => {
    const options = { paths: pathsIn(home), store, driver, machines }
    const snapshots = new SnapshotKeeper(options)
    const tidy = new Lifecycle({ machines, store, log: silentLog, snapshots })
    const { id } = await machines.create(wish)
    const old = await machines.snapshot(id, null)
    const named = await machines.snapshot(id, 'before the change')
    await machines.snapshot(id, null)
    await machines.destroy(id)
    const other = await machines.create(wish)
    const below = await machines.snapshot(other.id, null)
    snapshots.setBudget(0)
    await tidy.sweep()
    const left = store.snapshots.list().map((snapshot) => snapshot.id)
    expect(left.sort()).toEqual([old.id, named.id, below.id].sort()) // the named one stands on the old one
    expect((await snapshots.collect()).needsConsent).toEqual([named.id])
    await tidy.close()
  })
})

describe('a machine in use', () => {
  it('does not sleep under the one who uses it', async () => {
    const { id } = await machines.create(wish)
    await machines.use(id, async () => {
      await later(31)
      expect(state(id)).toEqual({ kind: 'running' })
    })
  })

  it('stays paused as it was when a person has paused it', async () => {
    const { id } = await machines.create(wish)
    await machines.setPaused(id, true)
    await later(31)
    expect(state(id)).toEqual({ kind: 'paused' })
  })
})

describe('a machine that has lived for a day', () => {
  it('ends, awake or asleep; the reason is kept, and so is how it was', async () => {
    const [awake, asleep] = [await machines.create(wish), await machines.create(wish)]
    await machines.use(awake.id, (sandbox) => sandbox.writeFile('/note', Buffer.from('unsaved')))
    await machines.suspend(asleep.id)
    await later(24 * 60)
    expect(machines.list()).toEqual([])
    for (const { id } of [awake, asleep]) expect(store.machines.get(id)?.endReason?.message).toMatch(/life limit/)
    const last = store.snapshots.list().find(({ machineId }) => machineId === awake.id)
    const { id } = await machines.create({ ...wish, fromSnapshot: last?.id })
    expect((await machines.use(id, (sandbox) => sandbox.readFile('/note'))).toString()).toBe('unsaved')
  })
})
