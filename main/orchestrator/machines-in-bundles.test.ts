import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ActInput } from '../contract/action.ts'
import { Script, type Task } from '../contract/task.ts'
import { verifyBundle } from '../trace/bundle/verify-bundle.ts'
import { openTestEngine, type TestEngine } from './testing.ts'

async function house(): Promise<TestEngine> {
  const opened = await openTestEngine((_argv, { keys }) => ({
    exitCode: 0,
    stdout: keys.join(' '),
    stderr: '',
    truncated: false,
  }))
  onTestFinished(() => opened.close())
  return opened
}

const press = (chord: string): ActInput => ({ type: 'key', chord })

async function recorded({ engine }: TestEngine, ...steps: ActInput[][]): Promise<Task> {
  const over = Promise.withResolvers<Task>()
  const off = engine.onEvent((event) => {
    if (event.type === 'task' && event.task.endedAt) over.resolve(event.task)
  })
  const script = Script.parse({
    goal: 'Pressed',
    steps: steps.map((acts) => ({ say: 'I press.', do: acts })),
    finish: [{ check: 'command', argv: ['true'] }],
  })
  await engine.call('task.run', { goal: 'Press keys', planner: { kind: 'script', script } })
  return over.promise.finally(off)
}

const keysOf = async ({ engine }: TestEngine, machineId: string) =>
  (await engine.call('vm.exec', { machineId, command: 'keys' })).stdout.trim()

test('steps of a trace exported with its machines boot in another house', async () => {
  const here = await house()
  const { id } = await recorded(
    here,
    [press('a'), { type: 'checkpoint', label: 'one' }],
    [press('b'), { type: 'checkpoint', label: 'two' }],
    [press('c')],
  )
  const file = path.join(here.paths.home, 'a.ghtrace')
  await here.engine.call('trace.export', { taskId: id, file, machines: true })
  expect(await verifyBundle(file)).toMatchObject({ ok: true, machines: 2 })

  const there = await house()
  await there.engine.call('trace.import', { file })
  expect(await there.engine.call('snapshot.list', {})).toMatchObject([
    { label: 'two', taskId: id, machineId: null },
    { label: 'one', parentId: null },
  ])
  const booted = await there.engine.call('trace.boot', { taskId: id, step: 1 })
  if (booted.kind !== 'machine') throw new Error('it came along')
  expect(await keysOf(there, booted.machine.id)).toBe('a b')

  const copy = await there.engine.call('trace.import', { file, copy: true })
  expect(copy.id).not.toBe(id)
  expect(await there.engine.call('snapshot.list', {})).toHaveLength(2)
})

test('without its machines the same trace has the same steps, and they are done again', async () => {
  const here = await house()
  const { id } = await recorded(here, [press('a'), { type: 'checkpoint', label: 'one' }], [press('b')])
  const file = path.join(here.paths.home, 'a.ghtrace')
  await here.engine.call('trace.export', { taskId: id, file })
  expect(await verifyBundle(file)).toMatchObject({ ok: true, machines: 0 })
  const there = await house()
  await there.engine.call('trace.import', { file })
  const booted = await there.engine.call('trace.boot', { taskId: id, step: 0 })
  expect(booted).toMatchObject({ kind: 'replaying', fromSnapshot: null, steps: 1 })
})

test('one flipped byte of a bundle with machines is found, tried at 200 random places, and a refused import leaves no machine behind', async () => {
  const here = await house()
  const { id } = await recorded(here, [press('a'), { type: 'checkpoint', label: 'one' }])
  const file = path.join(here.paths.home, 'a.ghtrace')
  await here.engine.call('trace.export', { taskId: id, file, machines: true })
  const sound = await fs.readFile(file)
  const inMachine = sound.indexOf('memory.json') + 'memory.json'.length + 20
  const anywhere = Array.from({ length: 200 }, () => Math.floor(Math.random() * sound.length))
  for (const at of [...anywhere, inMachine]) {
    const bytes = Buffer.from(sound)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8))
    await fs.writeFile(file, bytes)
    expect((await verifyBundle(file)).ok, `byte ${at}`).toBe(false)
  }
  const there = await house()
  await expect(there.engine.call('trace.import', { file })).rejects.toMatchObject({ code: 'corrupt' })
  expect(await fs.readdir(there.paths.snapshots).catch(() => [])).toEqual([])
  expect(await there.engine.call('task.list', {})).toEqual([])
})

test('machines do not go along when a secret was typed into them, or when something is to be redacted', async () => {
  const here = await house()
  const { id } = await recorded(here, [
    { type: 'type', text: 'pw {{mail-password}}' },
    { type: 'checkpoint', label: 'one' },
  ])
  const file = path.join(here.paths.home, 'a.ghtrace')
  await expect(here.engine.call('trace.export', { taskId: id, file, machines: true })).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('“mail-password”'),
  })
  const redact = { patterns: [{ text: 'pw' }] }
  const clean = await recorded(here, [press('a'), { type: 'checkpoint', label: 'two' }])
  await expect(
    here.engine.call('trace.export', { taskId: clean.id, file, machines: true, redact }),
  ).rejects.toMatchObject({ code: 'bad_request' })
  expect(await fs.stat(file).catch(() => null)).toBeNull()
})
