import fs from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '../sandbox.ts'
import { SNAPSHOT_RECORD } from './snapshot-record.ts'
import { openTestDriver, snapshotFolder, type TestDriver } from './testing.ts'

let test: TestDriver

beforeAll(async () => {
  test = await openTestDriver()
  await test.driver.prepare('desktop', () => {})
})
afterAll(() => test.close())

let count = 0
const fresh = () => test.driver.create({ id: `m${count++}`, image: 'desktop' })
const stdout = async (machine: Sandbox, command: string) => (await machine.exec(command)).stdout.trim()

describe('a fresh machine', () => {
  it('shows a drawn desktop of 1280×800 and answers as the user', async () => {
    const machine = await fresh()
    const { width, height, rgb } = await machine.capture()
    expect([width, height]).toEqual([1280, 800])
    expect(
      new Set(
        rgb
          .subarray(0, 1280 * 3 * 800)
          .toString('hex')
          .match(/.{6}/g),
      ).size,
    ).toBeGreaterThan(50)
    expect(await stdout(machine, 'whoami')).toBe('user')
    expect(await stdout(machine, 'sudo whoami')).toBe('root')
    await machine.destroy()
  })

  it('has the right time although its memory is old', async () => {
    const machine = await fresh()
    const guest = Number(await stdout(machine, 'date +%s'))
    expect(Math.abs(guest - Date.now() / 1000)).toBeLessThan(5)
    await machine.destroy()
  })

  it('draws random numbers of its own', async () => {
    const [one, two] = await Promise.all([fresh(), fresh()])
    const draw = 'head -c 32 /dev/urandom | base64'
    expect(await stdout(one, draw)).not.toBe(await stdout(two, draw))
    await Promise.all([one.destroy(), two.destroy()])
  })

  it('takes keys and a pointer, seen in the guest by another road', async () => {
    const machine = await fresh()
    await machine.input([{ kind: 'move', to: { x: 321, y: 123 } }])
    await expect.poll(() => stdout(machine, 'xdotool getmouselocation'), { timeout: 60_000 }).toMatch(/^x:321 y:123 /)
    await machine.destroy()
  })

  it('passes arguments to programs as they are', async () => {
    const machine = await fresh()
    const nasty = `a'b"c $(id) \`id\` \\ ; ünï 日本`
    expect((await machine.execFile(['printf', '%s', nasty])).stdout).toBe(nasty)
    await machine.writeFile('/home/user/new folder/ö.bin', Buffer.from([0, 255, 10, 13]))
    expect(await machine.readFile('/home/user/new folder/ö.bin')).toEqual(Buffer.from([0, 255, 10, 13]))
    await machine.destroy()
  })

  it('answers when the command has ended, although a program it left behind still runs', async () => {
    const machine = await fresh()
    const { exitCode, stdout } = await machine.exec('sleep 1000 & echo left', { timeoutMs: 10_000 })
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'left\n' })
    await machine.destroy()
  })

  it('gives commands their input, line breaks and exit codes, however long they are', async () => {
    const machine = await fresh()
    expect((await machine.exec('cat', { stdin: 'a\0b\n' })).stdout).toBe('a\0b\n')
    expect((await machine.exec('echo one\necho two; exit 7')).exitCode).toBe(7)
    const long = 'x'.repeat(5000)
    expect(await stdout(machine, `echo ${long}`)).toBe(long)
    const many = await Promise.all([1, 2, 3, 4, 5].map((number) => stdout(machine, `echo ${number}`)))
    expect(many).toEqual(['1', '2', '3', '4', '5'])
    await machine.destroy()
  })

  it('ends a command that takes too long, and runs the next one', async () => {
    const machine = await fresh()
    await expect(machine.exec('sudo sleep 60; sleep 61', { timeoutMs: 1500 })).rejects.toMatchObject({
      code: 'timeout',
    })
    expect(await stdout(machine, 'echo on')).toBe('on')
    await expect.poll(() => stdout(machine, 'pgrep -x sleep'), { timeout: 20_000 }).toBe('')
    await machine.destroy()
  })
})

describe('snapshots', () => {
  it('bring back memory and disk at any depth, and the machine runs on in between', async () => {
    let machine: Sandbox = await fresh()
    await machine.exec('setsid -f sleep 100000; pgrep -x sleep > /tmp/pid')
    const taken: { id: string; folder: string }[] = []
    for (let depth = 0; depth < 4; depth++) {
      await machine.exec(`echo disk-${depth} > ~/state; sync; echo ram-${depth} > /dev/shm/state`)
      const files = await snapshotFolder(test.paths, `depth-${depth}`)
      await machine.snapshot(files)
      taken.push(files)
      if (depth % 2 === 1) {
        await machine.destroy()
        machine = await test.driver.create({ id: `m${count++}`, image: 'desktop', fromSnapshot: files })
      }
    }
    for (const depth of [2, 0, 3, 1]) {
      const back = await test.driver.create({ id: `m${count++}`, image: 'desktop', fromSnapshot: taken[depth] })
      expect(await stdout(back, 'cat ~/state /dev/shm/state')).toBe(`disk-${depth}\nram-${depth}`)
      expect((await back.exec('kill -0 $(cat /tmp/pid)')).exitCode).toBe(0)
      await back.destroy()
    }
    await machine.destroy()
  })

  it('give children that do not see each other', async () => {
    const parent = await fresh()
    const files = await snapshotFolder(test.paths, 'fork-point')
    await parent.snapshot(files)
    const [one, two] = await Promise.all(
      [0, 1].map(() => test.driver.create({ id: `m${count++}`, image: 'desktop', fromSnapshot: files })),
    )
    if (!one || !two) throw new Error('two children were asked for')
    await one.exec('echo one > ~/who; echo one > /dev/shm/who')
    expect(await stdout(two, 'ls ~/who /dev/shm/who 2>/dev/null')).toBe('')
    expect(await stdout(parent, 'ls ~/who /dev/shm/who 2>/dev/null')).toBe('')
    await Promise.all([parent, one, two].map((machine) => machine.destroy()))
  })

  it('that fail leave the machine as it was, and the next one is whole', async () => {
    const machine = await fresh()
    await machine.exec('echo one > ~/one; sync')
    await expect(machine.snapshot({ id: 'nowhere', folder: `${test.paths.snapshots}/nowhere` })).rejects.toThrow()
    await machine.exec('echo two > ~/two; sync')
    const late = await snapshotFolder(test.paths, 'late') // fails with the disk frozen already
    await fs.mkdir(`${late.folder}/${SNAPSHOT_RECORD}.new`)
    await expect(machine.snapshot(late)).rejects.toThrow('EISDIR')
    await machine.exec('echo three > ~/three; sync')
    const files = await snapshotFolder(test.paths, 'whole')
    await machine.snapshot(files)
    await machine.destroy()
    const back = await test.driver.create({ id: `m${count++}`, image: 'desktop', fromSnapshot: files })
    await back.exec('echo 3 | sudo tee /proc/sys/vm/drop_caches') // from the disk, not from memory
    expect(await stdout(back, 'cat ~/one ~/two ~/three')).toBe('one\ntwo\nthree')
    expect(
      (await fs.readdir(`${test.paths.machines}/${back.id}`)).filter((name) => name.startsWith('disk-')),
    ).toHaveLength(1)
    await back.destroy()
  })

  it('that are damaged are found before they boot', async () => {
    const machine = await fresh()
    const files = await snapshotFolder(test.paths, 'damaged')
    await machine.snapshot(files)
    await fs.truncate(`${files.folder}/ram.delta`, 5000)
    await expect(
      test.driver.create({ id: `m${count++}`, image: 'desktop', fromSnapshot: files }),
    ).rejects.toMatchObject({
      code: 'corrupt',
    })
    await machine.destroy()
  })
})

describe('the end of a machine', () => {
  it('leaves no process and no file', async () => {
    const machine = await fresh()
    const pid = machine.pid ?? 0
    await machine.destroy()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    expect(await fs.readdir(test.paths.machines)).not.toContain(machine.id)
    await expect(machine.capture()).rejects.toMatchObject({ code: 'machine_died' })
  })

  it('by somebody else is noticed, said, and cleaned up after', async () => {
    const machine = await fresh()
    const death = new Promise((resolve) => machine.onDeath(resolve))
    process.kill(machine.pid ?? 0, 'SIGKILL')
    expect(await death).toMatchObject({ kind: 'dead', reason: { code: 'machine_died' } })
    await expect.poll(() => fs.readdir(test.paths.machines)).not.toContain(machine.id)
  })
})
