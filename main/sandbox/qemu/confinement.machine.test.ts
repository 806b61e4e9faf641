import fs from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDriver, type TestDriver } from './testing.ts'

let test: TestDriver
let spare = true
beforeAll(async () => {
  test = await openTestDriver({ pool: { size: 1, room: () => spare } })
  await test.driver.prepare('desktop', () => {})
})
afterAll(() => test.close())

const waiting = async () => (await fs.readdir(test.paths.machines)).filter((name) => name.startsWith('pool-'))
const pidOf = async (name = '') =>
  Number(JSON.parse(await fs.readFile(path.join(test.paths.machines, name, 'machine.json'), 'utf8')).pid)
const until = { timeout: 60_000 }

describe('a machine that stands ready', () => {
  it('becomes the next fresh desktop, with the right time, and another takes its place', async () => {
    await expect.poll(() => test.driver.readyCount, until).toBe(1)
    const [name] = await waiting()
    const machine = await test.driver.create({ id: 'm1', image: 'desktop' })
    const { id, pid, state } = machine
    expect({ id, pid, state }).toEqual({ id: 'm1', pid: await pidOf(name), state: { kind: 'running' } })
    const { stdout } = await machine.exec('date +%s; whoami')
    const [seconds, user] = stdout.trim().split('\n')
    expect(Math.abs(Number(seconds) - Date.now() / 1000)).toBeLessThan(5)
    expect(user).toBe('user')
    await expect.poll(async () => (await waiting()).filter((each) => each !== name), until).toHaveLength(1)
    await machine.destroy()
  })

  it('goes when the host has no memory to spare, and machines are made as ever', async () => {
    spare = false
    const machines = [await test.driver.create({ id: 'm2', image: 'desktop' })]
    // m2 may be the one that stood ready, whose folder keeps its name; any other goes.
    const unused = async () => {
      const pids = await Promise.all((await waiting()).map((name) => pidOf(name).catch(() => 0)))
      return pids.filter((pid) => pid !== machines[0]?.pid)
    }
    await expect.poll(unused, until).toEqual([])
    machines.push(await test.driver.create({ id: 'm3', image: 'desktop' }))
    expect((await machines[1]?.exec('echo here'))?.stdout).toBe('here\n')
    await Promise.all(machines.map((machine) => machine.destroy()))
    expect(await waiting()).toEqual([])
  })
})

describe.runIf(process.platform === 'linux')('the process of a machine', () => {
  it('is held to its memory by the kernel, starts no other, and is the first to go when memory runs out', async () => {
    const machine = await test.driver.create({ id: 'm4', image: 'desktop' })
    const about = (file: string) => fs.readFile(`/proc/${machine.pid}/${file}`, 'utf8')
    const limit = Number(/^Max address space +(\d+)/m.exec(await about('limits'))?.[1])
    expect(limit).toBe((machine.memoryMb + 2048) * 1024 ** 2)
    expect(await about('limits')).toMatch(/^Max core file size +0 /m)
    expect(await about('status')).toMatch(/^Seccomp:\t2$/m)
    expect((await about('oom_score_adj')).trim()).toBe('500')
    const { sockets } = test.paths
    expect((await fs.stat(sockets)).mode & 0o777).toBe(0o700)
    for (const name of await fs.readdir(sockets))
      expect((await fs.stat(path.join(sockets, name))).mode & 0o777, name).toBe(0o600)
    await machine.destroy()
  })
})
