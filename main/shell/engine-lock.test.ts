import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Paths, pathsIn } from '../paths.ts'
import { acquireLock, type LockNote, readLock } from './engine-lock.ts'
import { isAlive, processIdentity } from './process-identity.ts'

let folder: string
let paths: Paths

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'godhand-lock-'))
  paths = pathsIn(path.join(folder, 'home'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}

async function leaveLock(note: Partial<LockNote>): Promise<void> {
  ;(await acquireLock(paths)).release()
  const full = {
    pid: process.pid,
    identity: null,
    startedAt: new Date().toISOString(),
    port: null,
    token: null,
    ...note,
  }
  writeFileSync(paths.engineLock, JSON.stringify(full))
}

describe('the lock on a data folder', () => {
  it('is readable by its owner only, and gone after release', async () => {
    const lock = await acquireLock(paths)
    lock.announce(1234, 'secret')
    expect(readLock(paths)).toMatchObject({ pid: process.pid, port: 1234, token: 'secret' })
    expect(statSync(paths.engineLock).mode & 0o777).toBe(0o600)
    lock.release()
    expect(readdirSync(paths.home)).toEqual([])
  })

  it('lets in one of many who come at once', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(paths)))
    expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'engine_running' })
  })

  it('names the process that holds it and what to do', async () => {
    await acquireLock(paths)
    await expect(acquireLock(paths)).rejects.toMatchObject({
      code: 'engine_running',
      message: expect.stringContaining(String(process.pid)),
      hint: expect.stringContaining('npx godhand open'),
    })
  })

  it('is taken over from a process that has died', async () => {
    const pid = await deadPid()
    await leaveLock({ pid })
    const lock = await acquireLock(paths)
    expect(lock.predecessor?.pid).toBe(pid)
    expect(readLock(paths)?.pid).toBe(process.pid)
  })

  it.runIf(process.platform === 'linux')(
    'is taken over when its number belongs to another process by now',
    async () => {
      await leaveLock({ pid: process.ppid, identity: 'another-boot:1' })
      expect((await acquireLock(paths)).predecessor?.pid).toBe(process.ppid)
    },
  )

  it('is taken over when the process lives but nothing answers with that token', async () => {
    await leaveLock({ pid: process.ppid, identity: null, port: 1, token: 'x' })
    expect((await acquireLock(paths)).predecessor?.pid).toBe(process.ppid)
  })

  it('is taken over when what is written there makes no sense', async () => {
    await leaveLock({})
    writeFileSync(paths.engineLock, '{"pid":')
    await acquireLock(paths)
    expect(readLock(paths)?.pid).toBe(process.pid)
  })

  it('does not remove the lock of another', async () => {
    const lock = await acquireLock(paths)
    await leaveLockOf(await deadPid())
    lock.release()
    expect(existsSync(paths.engineLock)).toBe(true)

    async function leaveLockOf(pid: number) {
      writeFileSync(
        paths.engineLock,
        JSON.stringify({ pid, identity: null, startedAt: new Date().toISOString(), port: null, token: null }),
      )
    }
  })

  it('says so when the folder cannot be written', async () => {
    writeFileSync(path.join(folder, 'file'), '')
    const impossible = pathsIn(path.join(folder, 'file', 'home'))
    await expect(acquireLock(impossible)).rejects.toMatchObject({
      code: 'not_writable',
      message: expect.stringContaining(impossible.home),
      hint: expect.stringContaining('GODHAND_HOME'),
    })
  })
})

describe('who a process is', () => {
  it('tells living from dead', async () => {
    expect(isAlive(process.pid)).toBe(true)
    expect(isAlive(await deadPid())).toBe(false)
  })

  it.runIf(process.platform === 'linux')('stays the same for a process and differs between two', () => {
    expect(processIdentity(process.pid)).toBe(processIdentity(process.pid))
    expect(processIdentity(process.pid)).not.toBe(processIdentity(process.ppid))
  })
})
