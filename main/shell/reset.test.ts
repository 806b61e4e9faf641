import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Client, connect } from '../contract/client.ts'
import { RESET_WORDS } from '../contract/diagnostics.ts'
import { pathsIn } from '../paths.ts'
import { type Served, serve } from './serve.ts'

let home: string
let served: Served
let client: Client
const at = (...parts: string[]) => path.join(home, ...parts)

beforeEach(async () => {
  home = mkdtempSync(path.join(os.tmpdir(), 'gh-reset-'))
  vi.stubEnv('GODHAND_DRIVER', 'fake')
  served = await serve({ paths: pathsIn(home), port: 0 })
  const { port, token } = served.server
  client = connect({ url: `ws://127.0.0.1:${port}/rpc`, token, reconnect: false })
})
afterEach(async () => {
  vi.unstubAllEnvs()
  client.close()
  await served.close('the test is over')
  rmSync(home, { recursive: true, force: true })
})

it('erases everything a person made, keeps what machines are made of, and goes on behind the same doors', async () => {
  await client.call('secret.set', { name: 'mail', value: 'correct horse' })
  await client.call('key.set', { name: 'anthropic', value: 'sk-ant-12345678' })
  const { id } = await client.call('task.run', { goal: 'Remember this', planner: { kind: 'demo' } })
  await client.call('task.stop', { taskId: id })
  mkdirSync(at('images', 'desktop-1'), { recursive: true })
  writeFileSync(at('images', 'desktop-1', 'disk.qcow2'), 'an image')

  await client.call('engine.reset', { confirm: RESET_WORDS })
  expect(await client.call('task.list', {})).toEqual([])
  expect((await client.call('secret.list', {})).names).toEqual([])
  expect((await client.call('key.list', {})).names).toEqual([])
  expect(existsSync(at('secrets.json'))).toBe(false)
  expect(readFileSync(at('images', 'desktop-1', 'disk.qcow2'), 'utf8')).toBe('an image')
  expect(readFileSync(at('godhand.db')).includes('Remember this')).toBe(false)

  const again = await client.call('task.run', { goal: 'A new beginning', planner: { kind: 'demo' } })
  expect((await client.call('task.list', {})).map((task) => task.id)).toEqual([again.id])
})

it('erases nothing without the words', async () => {
  await client.call('secret.set', { name: 'mail', value: 'correct horse' })
  await expect(client.call('engine.reset', JSON.parse('{"confirm":"yes"}'))).rejects.toMatchObject({
    code: 'bad_request',
  })
  expect((await client.call('secret.list', {})).names).toEqual(['mail'])
})
