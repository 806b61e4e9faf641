import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentLog } from '../log.ts'
import { openKeptDoor } from './kept-door.ts'
import { proofOf } from './returning.ts'
import { type EngineServer, startServer } from './server.ts'
import { fakeEngine } from './testing/fake-engine.ts'

let folder: string
let server: EngineServer
const base = () => `http://127.0.0.1:${server.port}`
const file = () => path.join(folder, 'door.json')
const post = (address: string, body?: object, headers: Record<string, string> = {}) =>
  fetch(`${base()}${address}`, { method: 'POST', headers, ...(body ? { body: JSON.stringify(body) } : {}) })
const cookieOf = (answer: Response) => String(answer.headers.get('set-cookie')).split(';')[0] ?? ''

async function start(port?: number): Promise<void> {
  server = await startServer({
    engine: fakeEngine(),
    log: silentLog,
    uiFolder: folder,
    port,
    door: openKeptDoor(file()),
    onShutdown: () => {},
  })
}

/** As a window does it: in by a link, then the key for later. */
async function enter(): Promise<{ cookie: string; key: string }> {
  const cookie = cookieOf(await fetch(server.newLink(), { redirect: 'manual' }))
  const { key } = await (await post('/session/key', undefined, { cookie })).json()
  return { cookie, key }
}

async function comeBack(key: string, origin = base()): Promise<Response> {
  const { challenge } = await (await post('/session/challenge')).json()
  return await post('/session', { challenge, proof: proofOf(key, challenge, origin) })
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'godhand-door-'))
  writeFileSync(path.join(folder, 'returning.js'), 'the script')
  await start(0)
})

afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

it('lets an open window in again after a restart, at the same address, though its cookie is worth nothing', async () => {
  const { cookie, key } = await enter()
  const { port } = server
  await server.close()
  await start()
  expect(server.port).toBe(port)
  // The connection that was kept alive to the last one breaks first.
  const knock = () => fetch(`${base()}/ping`, { headers: { cookie } }).then(({ status }) => status, String)
  await expect.poll(knock).toBe(401)

  const back = await comeBack(key)
  expect(back.status).toBe(200)
  expect(back.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict$/)
  expect((await fetch(`${base()}/ping`, { headers: { cookie: cookieOf(back) } })).status).toBe(200)
})

it('gives the key to nobody who is not known', async () => {
  expect((await post('/session/key')).status).toBe(401)
})

it('refuses a wrong key, a challenge it never gave, and one that was answered before', async () => {
  const { key } = await enter()
  expect((await comeBack('x'.repeat(43))).status).toBe(401)
  expect((await post('/session', { challenge: 'mine', proof: proofOf(key, 'mine', base()) })).status).toBe(401)
  const { challenge } = await (await post('/session/challenge')).json()
  const answer = { challenge, proof: proofOf(key, challenge, base()) }
  expect((await post('/session', answer)).status).toBe(200)
  expect((await post('/session', answer)).status).toBe(401)
})

it('refuses an answer that was meant for another port, so that nobody there can pass it on', async () => {
  const { key } = await enter()
  expect((await comeBack(key, `http://127.0.0.1:${server.port + 1}`)).status).toBe(401)
})

it('refuses what is no answer at all', async () => {
  expect((await post('/session')).status).toBe(401)
  expect((await post('/session', { proof: 'y'.repeat(10_000) })).status).toBe(401)
})

it('gives the locked page the script by which a known window lets itself in', async () => {
  const locked = await fetch(base(), { headers: { accept: 'text/html' } })
  expect(await locked.text()).toContain('<script src="/returning.js" data-reload>')
  expect(await (await fetch(`${base()}/returning.js`)).text()).toBe('the script')
})

it('keeps the key from everyone but its owner, and makes a new one after a month', () => {
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  const { key } = openKeptDoor(file())
  const inAMonth = () => Date.now() + 31 * 24 * 60 * 60_000
  expect(openKeptDoor(file()).key).toBe(key)
  expect(openKeptDoor(file(), inAMonth).key).not.toBe(key)
  writeFileSync(file(), 'not json')
  expect(openKeptDoor(file()).key).toHaveLength(43)
  expect(JSON.parse(readFileSync(file(), 'utf8')).port).toBeNull()
})
