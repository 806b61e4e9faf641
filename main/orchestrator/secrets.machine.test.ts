import fs from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import yauzl from 'yauzl'
import { AnthropicServer, computer, tool } from '../agent/wire/anthropic-server.ts'
import type { Task } from '../contract/task.ts'
import type { Engine } from '../engine.ts'
import { openLog } from '../log.ts'
import { openTestDriver, type TestDriver } from '../sandbox/qemu/testing.ts'
import { openEngine } from './engine.ts'

const VALUE = 'Tr0ub4dor&3-kestrel'
const PATH = '/home/user/login.txt'

let test: TestDriver
let engine: Engine
beforeAll(async () => {
  test = await openTestDriver()
  await test.driver.prepare('desktop', () => {})
  engine = await openEngine({ paths: test.paths, log: openLog(test.paths), driver: test.driver })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await engine.close()
  await test.close()
})

it('a secret reaches the guest, and its value is nowhere else: not in store, logs, exports, or what the model is sent', async () => {
  await engine.call('secret.set', { name: 'site_password', value: VALUE })
  expect(await engine.call('secret.list', {})).toMatchObject({ names: ['site_password'] })
  const checks = [{ check: 'file_content', path: PATH, text: '{{site_password}}' }]
  const server = await AnthropicServer.start([
    {
      content: [
        computer('key', { text: 'ctrl+alt+t' }),
        tool('wait_for', { assertion: { check: 'window_active', title: 'Terminal' } }),
      ],
    },
    {
      content: [computer('type', { text: `cat > ${PATH}\n{{site_password}}\n` }), computer('key', { text: 'ctrl+d' })],
    },
    { content: [tool('bash', { command: `cat ${PATH}; echo password is {{site_password}}` })] },
    { content: [tool('finish', { summary: `It is written.`, checks, timeout_seconds: 20 })] },
  ])
  vi.stubEnv('ANTHROPIC_API_KEY', server.apiKey)
  vi.stubEnv('ANTHROPIC_BASE_URL', server.url)
  const ended = Promise.withResolvers<Task>()
  const said: string[] = []
  engine.onEvent((event) => {
    said.push(JSON.stringify(event))
    if (event.type === 'task' && event.task.endedAt) ended.resolve(event.task)
  })
  // Even what the person should not have written into the goal.
  const goal = `Put the password ${VALUE} into a file`
  await engine.call('task.run', { goal, planner: { kind: 'anthropic' }, keepMachine: true })
  const task = await ended.promise
  expect(task).toMatchObject({ state: 'succeeded', goal: 'Put the password {{site_password}} into a file' })

  const machineId = task.machineId ?? ''
  const { stdout } = await engine.call('vm.exec', { machineId, command: `cat ${PATH}` })
  expect(stdout).toBe(`${VALUE}\n`)
  await engine.call('vm.destroy', { machineId })

  expect(server.refused).toEqual([])
  expect(JSON.stringify(server.requests)).toContain('password is {{site_password}}')
  for (const form of forms) {
    expect(JSON.stringify(server.requests)).not.toContain(form)
    expect(said.join('\n')).not.toContain(form)
  }
  for (const format of exported)
    await engine.call('trace.export', { taskId: task.id, format, file: path.join(test.paths.home, `run.${format}`) })
  expect(await leaksIn(test.paths.home)).toEqual([]) // with the write-ahead log beside the database
  await server.close()
})

const exported = ['bundle', 'html', 'osworld', 'anthropic', 'openai', 'csv'] as const
const forms = [VALUE, encodeURIComponent(VALUE), Buffer.from(VALUE).toString('base64').replace(/=+$/, '')]

/** Every file the engine keeps, byte by byte. What only the person's own store and the pictures of the screen hold is theirs. */
async function leaksIn(home: string): Promise<string[]> {
  const entries = await fs.readdir(home, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  const searched = files.filter((file) => file !== test.paths.secrets && !file.startsWith(test.paths.frames))
  expect(searched).toEqual(expect.arrayContaining([test.paths.database, `${test.paths.database}-wal`]))
  const leaks: string[] = []
  for (const file of searched) {
    const bytes = await unpacked(file)
    if (forms.some((form) => bytes.includes(form))) leaks.push(path.relative(home, file))
  }
  return leaks
}

/** What is in a zip, one after the other; any other file as it is. */
async function unpacked(file: string): Promise<Buffer> {
  const bytes = await fs.readFile(file)
  if (!bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) return bytes
  const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false })
  const parts: Buffer[] = []
  for await (const entry of zip.eachEntry()) parts.push(await buffer(await zip.openReadStreamPromise(entry)))
  zip.close()
  expect(parts.length).toBeGreaterThan(1)
  return Buffer.concat(parts)
}
