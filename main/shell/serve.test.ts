import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EngineServer } from '../api/server.ts'
import { type FakeEngine, fakeEngine } from '../api/testing/fake-engine.ts'
import { connect } from '../contract/client.ts'
import { GodHandError } from '../contract/errors.ts'
import { type Paths, pathsIn } from '../paths.ts'
import { connectEngine } from './engine-client.ts'
import { readLock } from './engine-lock.ts'
import { findEngine } from './find-engine.ts'
import { type Served, type ServeOptions, serve } from './serve.ts'

let home: string
let paths: Paths
let engine: FakeEngine
const open: Served[] = []
const children: ChildProcess[] = []

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'godhand-serve-'))
  paths = pathsIn(home)
  engine = fakeEngine()
})
afterEach(async () => {
  for (const served of open.splice(0)) await served.close('test over')
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

async function start(options: Partial<ServeOptions> = {}): Promise<Served> {
  const served = await serve({ paths, port: 0, openEngine: async () => engine, ...options })
  open.push(served)
  return served
}

async function startProcess(): Promise<{ child: ChildProcess; said: string }> {
  const script = path.join(import.meta.dirname, 'testing', 'serve-fake.ts')
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, GODHAND_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  if (!child.stdout) throw new Error('no output to read')
  const [said] = await once(child.stdout, 'data')
  return { child, said: String(said).trim() }
}

describe('an engine on a data folder', () => {
  it('can be found by its lock, and gives the folder back when it leaves', async () => {
    const served = await start()
    const found = await findEngine(paths)
    expect(found?.pid).toBe(process.pid)
    expect(await found?.newLink()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?code=/)
    await served.close('test')
    await served.ended
    expect(engine.closed).toBe(1)
    expect(existsSync(paths.engineLock)).toBe(false)
    expect(await findEngine(paths)).toBeNull()
  })

  it('is not found any more from the moment it begins to leave, but keeps the folder until it has', async () => {
    const served = await start()
    const gate = Promise.withResolvers<void>()
    engine.close = () => gate.promise
    const leaving = served.close('test')
    await expect.poll(() => findEngine(paths)).toBeNull()
    await expect(start()).rejects.toMatchObject({ code: 'engine_running' })
    gate.resolve()
    await leaving
    expect(existsSync(paths.engineLock)).toBe(false)
  })

  it('refuses a second one and leaves the first as it was', async () => {
    await start()
    const before = readLock(paths)
    await expect(serve({ paths, port: 0, openEngine: async () => fakeEngine() })).rejects.toMatchObject({
      code: 'engine_running',
    })
    expect(readLock(paths)).toEqual(before)
    expect(engine.closed).toBe(0)
  })

  it('leaves nothing behind when the engine cannot be opened', async () => {
    const failing = async () => {
      throw new GodHandError('corrupt', 'The store is damaged.')
    }
    await expect(serve({ paths, port: 0, openEngine: failing })).rejects.toMatchObject({ code: 'corrupt' })
    expect(existsSync(paths.engineLock)).toBe(false)
    await start()
  })

  it('opens no engine when the port is taken', async () => {
    const other = await start()
    const paths2 = pathsIn(path.join(home, 'second'))
    const openEngine = vi.fn(async () => fakeEngine())
    await expect(serve({ paths: paths2, port: other.server.port, openEngine })).rejects.toMatchObject({
      code: 'port_taken',
    })
    expect(openEngine).not.toHaveBeenCalled()
    expect(existsSync(paths2.engineLock)).toBe(false)
  })

  describe('that is still being opened', () => {
    const gate = () => {
      const { promise, resolve, reject } = Promise.withResolvers<FakeEngine>()
      const doors = Promise.withResolvers<EngineServer>()
      const serving = start({ openEngine: () => promise, onDoorsOpen: doors.resolve })
      return { doors: doors.promise, serving, open: () => resolve(engine), fail: reject }
    }
    const enter = ({ port, token }: EngineServer) =>
      connect({ url: `ws://127.0.0.1:${port}/rpc`, token, reconnect: false })

    it('has its page out already, is not announced, and answers what was asked once it is open', async () => {
      const { doors, serving, open } = gate()
      const server = await doors
      expect((await fetch(server.newLink(), { redirect: 'manual' })).status).toBe(303)
      const client = enter(server)
      const info = client.call('engine.info', {})
      await server.asked
      expect(await findEngine(paths)).toBeNull()
      open()
      expect((await info).version).toBeTruthy()
      client.close()
      await serving
      expect(await findEngine(paths)).not.toBeNull()
    })

    it('says why to whoever waits when it cannot be opened, and leaves nothing behind', async () => {
      const { doors, serving, fail } = gate()
      const client = enter(await doors)
      const refused = expect(client.call('engine.info', {})).rejects.toMatchObject({ code: 'corrupt' })
      const failed = expect(serving).rejects.toMatchObject({ code: 'corrupt' })
      await (await doors).asked
      fail(new GodHandError('corrupt', 'The store is damaged.'))
      await refused
      client.close()
      await failed
      expect(existsSync(paths.engineLock)).toBe(false)
    })
  })

  it('leaves when a client asks it to', async () => {
    const served = await start()
    const { client } = await connectEngine({ paths, machines: false })
    await client.call('engine.shutdown', {})
    await served.ended
    expect(engine.closed).toBe(1)
  })

  it('leaves by itself when there is nothing to do, but not before', async () => {
    engine.isBusy = true
    const served = await start({ idleMs: 100 })
    let hasEnded = false
    void served.ended.then(() => {
      hasEnded = true
    })
    const { client } = await connectEngine({ paths, machines: false })
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect(hasEnded).toBe(false)
    engine.isBusy = false
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect(hasEnded, 'someone is connected').toBe(false)
    client.close()
    await served.ended
    expect(engine.closed).toBe(1)
  })
})

describe('an engine process', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)('cleans up on %s', async (signal, exitCode) => {
    const { child, said } = await startProcess()
    expect(said).toBe('ready')
    child.kill(signal)
    expect((await once(child, 'exit'))[0]).toBe(exitCode)
    expect(existsSync(paths.engineLock)).toBe(false)
  })

  it('is replaced after kill -9', async () => {
    const first = await startProcess()
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    expect(readLock(paths)?.pid).toBe(first.child.pid)
    expect((await startProcess()).said).toBe('ready')
    expect(readLock(paths)?.pid).not.toBe(first.child.pid)
  })

  it('refuses a folder another process holds', async () => {
    const first = await startProcess()
    const second = await startProcess()
    expect(JSON.parse(second.said)).toMatchObject({ code: 'engine_running', details: { pid: first.child.pid } })
  })
})
