import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ExportJob } from '../contract/export.ts'
import { Script, type Task } from '../contract/task.ts'
import { openTestEngine, type TestEngine } from './testing.ts'

let house: TestEngine
beforeEach(async () => {
  house = await openTestEngine(() => ({ exitCode: 0, stdout: '', stderr: '', truncated: false }))
})
afterEach(() => house.close())

const script = Script.parse({
  goal: 'Pressed',
  steps: ['a', 'b', 'c'].map((chord) => ({
    say: `I press ${chord} for Ada Lovelace.`,
    do: [{ type: 'key', chord }],
    expect: [{ check: 'screen_changed' }],
  })),
  finish: [{ check: 'command', argv: ['true'] }],
})

async function recorded(): Promise<Task> {
  const over = Promise.withResolvers<Task>()
  const off = house.engine.onEvent((event) => {
    if (event.type === 'task' && event.task.endedAt) over.resolve(event.task)
  })
  await house.engine.call('task.run', { goal: 'Press keys', planner: { kind: 'script', script } })
  return over.promise.finally(off)
}

/** Everything told about a job, until it is over. */
function watch(): { jobs: ExportJob[]; over: Promise<ExportJob> } {
  const jobs: ExportJob[] = []
  const over = Promise.withResolvers<ExportJob>()
  house.engine.onEvent((event) => {
    if (event.type !== 'export') return
    jobs.push(event.job)
    if (event.job.state !== 'working') over.resolve(event.job)
  })
  return { jobs, over: over.promise }
}

test('an export tells how far it is, and is then there to be fetched, whole', async () => {
  const { id } = await recorded()
  const { jobs, over } = watch()
  const { id: exportId } = await house.engine.call('export.start', { taskId: id, format: 'bundle' })
  expect(() => house.engine.exported(exportId)).toThrow('There is nothing to fetch: this export is working.')
  const job = await over
  expect(job).toMatchObject({ id: exportId, state: 'done', name: 'press-keys.ghtrace', error: null })
  expect(jobs[0]).toMatchObject({ state: 'working' })
  const { file, bytes } = house.engine.exported(exportId)
  expect((await fs.stat(file)).size).toBe(bytes)
})

test('an export that is called off leaves nothing, and says so', async () => {
  const { id } = await recorded()
  const file = path.join(house.paths.home, 'called-off.gif')
  const { id: exportId } = await house.engine.call('export.start', { taskId: id, format: 'gif', file })
  const job = await house.engine.call('export.cancel', { exportId })
  expect(job).toMatchObject({ state: 'cancelled', error: { code: 'cancelled' } })
  expect((await fs.readdir(house.paths.home)).filter((name) => name.includes('called-off'))).toEqual([])
})

test('what cannot be exported is said at once or in the job', async () => {
  await expect(house.engine.call('export.start', { taskId: 'task_none' })).rejects.toMatchObject({ code: 'not_found' })
  const { id } = await recorded()
  const file = path.join(house.paths.home, 'no', 'such', 'folder.csv')
  await expect(house.engine.call('trace.export', { taskId: id, format: 'csv', file })).rejects.toThrow()
})

test('tags are put on and taken off, counted, and narrow the search', async () => {
  const { id } = await recorded()
  const tag = (name: string, on: boolean) => house.engine.call('trace.tag', { taskId: id, tag: name, on })
  await tag('keep', true)
  expect(await tag('nice one', true)).toEqual({ tags: ['keep', 'nice one'] })
  expect((await house.engine.call('trace.facets', {})).tags).toEqual([
    { tag: 'keep', count: 1 },
    { tag: 'nice one', count: 1 },
  ])
  const found = async (name: string) => (await house.engine.call('trace.search', { tag: name })).entries.length
  expect([await found('keep'), await found('other')]).toEqual([1, 0])
  expect(await tag('keep', false)).toEqual({ tags: ['nice one'] })
  await expect(tag('<script>', true)).rejects.toMatchObject({ name: 'ZodError' })
})

test('a retention policy says what it would remove, spares what is tagged, and frees what it removes', async () => {
  const kept = await recorded()
  const old = await recorded()
  await house.engine.call('trace.tag', { taskId: kept.id, tag: 'keep', on: true })
  expect(await house.engine.call('retention.get', {})).toEqual({ policy: null })
  const { policy } = await house.engine.call('retention.set', { policy: { maxTraces: 0 } })
  expect(policy).toEqual({ maxTraces: 0, keepTags: ['keep'] })
  expect(await house.engine.call('retention.preview', {})).toMatchObject([{ taskId: old.id, reason: 'count' }])
  const before = await house.engine.call('trace.diskUse', {})
  expect(await house.engine.call('retention.apply', {})).toMatchObject({ traces: 1 })
  const after = await house.engine.call('trace.diskUse', {})
  expect([before.traces, after.traces]).toEqual([2, 1])
  expect((await house.engine.call('trace.search', {})).entries.map(({ task }) => task.id)).toEqual([kept.id])
  expect(await house.engine.call('retention.set', { policy: null })).toEqual({ policy: null })
})

test('a long trace can be opened a window at a time', async () => {
  const { id, stepCount } = await recorded()
  const indexes = async (part: { from?: number; limit?: number }) => {
    const { task, steps } = await house.engine.call('task.get', { taskId: id, ...part })
    expect(task).toMatchObject({ id, stepCount })
    return steps.map(({ index }) => index)
  }
  expect(await indexes({})).toHaveLength(stepCount)
  expect(await indexes({ limit: 2 })).toEqual([0, 1])
  expect(await indexes({ from: 2, limit: 1 })).toEqual([2])
  expect(await indexes({ from: stepCount })).toEqual([])
})

test('a preview shows the very picture an export would hold, and the words that change', async () => {
  const { id } = await recorded()
  const { steps } = await house.engine.call('task.get', { taskId: id })
  const frame = steps[0]?.after ?? ''
  const region = { x: 40, y: 40, width: 60, height: 30 }
  const preview = await house.engine.call('trace.previewRedaction', {
    taskId: id,
    frame,
    redact: { regions: [{ region }] },
  })
  expect(preview).toMatchObject({ covered: [region], changed: 0 })
  const original = await house.engine.framePng(frame)
  expect(Buffer.from(preview.png, 'base64').equals(original ?? Buffer.alloc(0))).toBe(false)
  await expect(
    house.engine.call('trace.previewRedaction', { taskId: id, frame: 'f'.repeat(64), redact: {} }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test('a trace is deleted with its machines when that is wanted, and says what it freed', async () => {
  const { id } = await recorded()
  const said = await house.engine.call('trace.freeable', { taskId: id })
  const freed = await house.engine.call('trace.delete', { taskId: id, machines: true })
  expect(freed).toEqual({ traces: 1, frames: said.pictures.count, bytes: said.pictures.bytes + said.machines.bytes })
  expect(freed.bytes).toBeGreaterThan(0)
  expect(await house.engine.call('snapshot.list', {})).toEqual([])
})
