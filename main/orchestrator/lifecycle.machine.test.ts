import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../log.ts'
import { openTestDriver, type TestDriver } from '../sandbox/qemu/testing.ts'
import { openFrameStore } from '../trace/frame-store.ts'
import { openStore, type Store } from '../trace/store.ts'
import { Events } from './events.ts'
import { Lifecycle } from './lifecycle.ts'
import { Machines } from './machines.ts'

let test: TestDriver
let store: Store
let machines: Machines
let lifecycle: Lifecycle
beforeAll(async () => {
  test = await openTestDriver()
  const { driver, paths } = test
  await driver.prepare('desktop', () => {})
  store = openStore(paths.database)
  const frames = await openFrameStore(paths.frames)
  machines = new Machines({ paths, store, frames, driver, events: new Events() })
  lifecycle = new Lifecycle({ machines, store, log: silentLog })
})
afterAll(async () => {
  await lifecycle.close()
  await test.close()
  store.close()
})

describe('an idle machine', () => {
  it('gives its process and memory back, and goes on where it was when it is used again, in a later engine too', async () => {
    const { id, pid } = await machines.create({ image: 'desktop', boot: false, allow: [] })
    await machines.use(id, (sandbox) => sandbox.exec('sleep 1000 & echo $! > /dev/shm/pid; echo here > ~/state'))
    await lifecycle.sweep(Date.now() + 31 * 60_000)
    expect(machines.list()[0]?.state).toEqual({ kind: 'paused', suspended: true })
    expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH')

    // As the next engine finds it.
    const { driver, paths } = test
    store.recoverInterrupted()
    machines = new Machines({ paths, store, frames: await openFrameStore(paths.frames), driver, events: new Events() })
    expect(machines.list()).toMatchObject([{ id, state: { kind: 'paused', suspended: true } }])
    const { stdout, exitCode } = await machines.use(id, (sandbox) =>
      sandbox.exec('cat ~/state && kill -0 $(cat /dev/shm/pid)'),
    )
    expect({ stdout, exitCode }).toEqual({ stdout: 'here\n', exitCode: 0 })
    expect(machines.list()[0]).toMatchObject({ id, state: { kind: 'running' } })
    await machines.destroy(id)
  })
})
