import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '../../sandbox.ts'
import { openTestDriver, snapshotFolder, type TestDriver } from '../testing.ts'

/** The portable way of keeping memory, on the same host and by the same promises as the fast one. */

let test: TestDriver
beforeAll(async () => {
  test = await openTestDriver({ mechanism: 'mapped-ram' })
  await test.driver.prepare('desktop', () => {})
})
afterAll(() => test.close())

const both = async (machine: Sandbox) => (await machine.exec('cat ~/state /dev/shm/state')).stdout

describe('snapshots by QEMU’s own migration to a file', () => {
  it('bring memory and disk back, and fork into machines that do not see each other', async () => {
    const parent = await test.driver.create({ id: 'parent', image: 'desktop' })
    await parent.exec('sleep 1000 & echo $! > /tmp/pid; echo then | tee ~/state > /dev/shm/state')
    const first = await snapshotFolder(test.paths, 'first')
    await parent.snapshot(first)
    await parent.exec('echo later | tee ~/state > /dev/shm/state')
    const second = await snapshotFolder(test.paths, 'second')
    await parent.snapshot(second)
    expect(await both(parent)).toBe('later\nlater\n')

    const [one, two] = await Promise.all(
      ['one', 'two'].map((id) => test.driver.create({ id, image: 'desktop', fromSnapshot: first })),
    )
    if (!one || !two) throw new Error('two children were asked for')
    expect(await both(one)).toBe('then\nthen\n')
    expect((await one.exec('kill -0 $(cat /tmp/pid)')).exitCode).toBe(0)
    await one.exec('echo mine | tee ~/state > /dev/shm/state')
    expect(await both(two)).toBe('then\nthen\n')
    await Promise.all([parent, one, two].map((machine) => machine.destroy()))

    const deeper = await test.driver.create({ id: 'deeper', image: 'desktop', fromSnapshot: second })
    expect(await both(deeper)).toBe('later\nlater\n')
    await deeper.destroy()
  })
})
