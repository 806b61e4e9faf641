import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { RunTask } from '../contract/task.ts'
import { newId } from './ids.ts'
import { openStore, openStoreReader } from './store.ts'
import {
  noon,
  sampleFrame,
  sampleMachine,
  sampleStep,
  sampleTask,
  temporaryFolder,
  temporaryStore,
} from './testing/samples.ts'

test('a task, its request, its steps and its frames read back as they were written, after reopening', () => {
  const file = path.join(temporaryFolder(), 'godhand.db')
  const before = sampleFrame('before')
  const after = sampleFrame('after')
  const task = sampleTask()
  const request = RunTask.parse({ goal: task.goal, planner: { kind: 'demo' } })
  const step = sampleStep(task.id, 0, { before: before.hash, after: after.hash })
  const first = openStore(file)
  first.tasks.insert(task, request)
  first.steps.append(step, [before, after])
  first.close()

  const store = temporaryStore(file)
  expect(store.unclean).toBe(false)
  expect(store.tasks.get(task.id)).toEqual({ ...task, stepCount: 1 })
  expect(store.tasks.request(task.id)).toEqual(request)
  expect(store.steps.list(task.id)).toEqual([step])
  expect(store.steps.get(task.id, 0)).toEqual(step)
  expect(new Set(store.frames.ofTask(task.id))).toEqual(new Set([before, after]))
  const reader = openStoreReader(file)
  expect(reader.tasks.list()).toEqual(store.tasks.list())
  reader.close()
})

test('tasks are listed newest first, up to the limit', () => {
  const store = temporaryStore()
  const days = ['2026-01-02', '2026-01-03', '2026-01-01']
  for (const day of days) store.tasks.insert(sampleTask({ goal: day, createdAt: `${day}T00:00:00.000Z` }))
  expect(store.tasks.list().map(({ goal }) => goal)).toEqual(['2026-01-03', '2026-01-02', '2026-01-01'])
  expect(store.tasks.list(2).map(({ goal }) => goal)).toEqual(['2026-01-03', '2026-01-02'])
})

test('a task moves along its states, with start and end times filled in', () => {
  const store = temporaryStore()
  const { id } = sampleTask()
  store.tasks.insert(sampleTask({ id }))
  expect(store.tasks.update(id, { state: 'preparing' }).startedAt).not.toBeNull()
  expect(store.tasks.update(id, { state: 'running' }).endedAt).toBeNull()
  const ended = store.tasks.update(id, { state: 'succeeded', verdict: 'The file is there.', endedAt: noon })
  expect(ended).toMatchObject({ state: 'succeeded', verdict: 'The file is there.', endedAt: noon })
  expect(store.tasks.get(id)).toEqual(ended)
})

test('an illegal move of a task throws and changes nothing', () => {
  const store = temporaryStore()
  const task = sampleTask()
  store.tasks.insert(task)
  expect(() => store.tasks.update(task.id, { state: 'succeeded', verdict: 'Done!' })).toThrow('cannot become')
  expect(store.tasks.get(task.id)).toEqual(task)
})

test('an unknown task is not found', () => {
  const store = temporaryStore()
  expect(store.tasks.get('task_none')).toBeNull()
  expect(() => store.tasks.update('task_none', { verdict: 'x' })).toThrow('There is no task task_none.')
  expect(() => store.steps.append(sampleStep('task_none', 0))).toThrow('There is no task task_none.')
})

test('steps are numbered without gaps and read in pages', () => {
  const store = temporaryStore()
  const task = sampleTask()
  store.tasks.insert(task)
  for (let index = 0; index < 5; index++) store.steps.append(sampleStep(task.id, index))
  expect(() => store.steps.append(sampleStep(task.id, 4))).toThrow('The next step of')
  expect(() => store.steps.append(sampleStep(task.id, 6))).toThrow('The next step of')
  expect(store.steps.list(task.id, { from: 2, limit: 2 }).map(({ index }) => index)).toEqual([2, 3])
  expect(store.tasks.get(task.id)?.stepCount).toBe(5)
})

test('a step that names an unrecorded frame is refused as a whole', () => {
  const store = temporaryStore()
  const task = sampleTask()
  store.tasks.insert(task)
  const recorded = sampleFrame('recorded')
  const step = sampleStep(task.id, 0, { before: recorded.hash, after: sampleFrame('lost').hash })
  expect(() => store.steps.append(step, [recorded])).toThrow('refers to')
  expect(store.steps.list(task.id)).toEqual([])
  expect(store.tasks.get(task.id)?.stepCount).toBe(0)
  expect(store.frames.get(recorded.hash)).toBeNull()
})

test('what could not be read back is not written', () => {
  const store = temporaryStore()
  const task = sampleTask()
  store.tasks.insert(task)
  const timing = { planMs: Number.NaN, actMs: 0, settleMs: 0, verifyMs: 0, totalMs: 0 }
  expect(() => store.steps.append(sampleStep(task.id, 0, { timing }))).toThrow('planMs')
  expect(store.steps.list(task.id)).toEqual([])
})

test('a record damaged behind our back is called corrupt, with the field named', () => {
  const file = path.join(temporaryFolder(), 'godhand.db')
  const store = temporaryStore(file)
  const task = sampleTask()
  store.tasks.insert(task)
  const intruder = new Database(file)
  intruder.prepare(`UPDATE tasks SET checks = '{broken'`).run()
  intruder.close()
  expect(() => store.tasks.get(task.id)).toThrow(/cannot be read[\s\S]*checks/)
})

test('frames shown only in evidence belong to the task; others are unreferenced', () => {
  const store = temporaryStore()
  const [crop, stray] = [sampleFrame('crop'), sampleFrame('stray')]
  const task = sampleTask()
  store.tasks.insert(task)
  store.frames.insert(crop)
  store.frames.insert(stray)
  store.frames.insert(stray)
  const verdict = { pass: false, summary: 'No.', tookMs: 1, samples: 1, evidence: { crop: { frame: crop.hash } } }
  const assertion = { check: 'clipboard' as const, text: 'x', match: 'exact' as const }
  const checks = [{ assertion, verdict }]
  store.steps.append(sampleStep(task.id, 0, { checks, verdict: 'fail' }))
  expect(store.frames.ofTask(task.id)).toEqual([crop])
  expect(store.frames.unreferenced()).toEqual([stray])
  store.tasks.update(task.id, { checks: [{ assertion, verdict: { ...verdict, evidence: { seen: stray.hash } } }] })
  expect(store.frames.unreferenced()).toEqual([])
})

test('a machine keeps the reason of its first end', () => {
  const store = temporaryStore()
  const machine = sampleMachine()
  store.machines.insert(machine)
  store.machines.setPid(machine.id, 4242)
  expect(store.machines.alive()).toEqual([
    { ...machine, pid: 4242, endedAt: null, endReason: null, bornOf: null, environment: null },
  ])
  const reason = { code: 'machine_died' as const, message: 'QEMU was killed.' }
  store.machines.end(machine.id, reason)
  const ended = store.machines.get(machine.id)
  store.machines.end(machine.id, null)
  expect(ended?.endReason).toEqual(reason)
  expect(store.machines.get(machine.id)).toEqual(ended)
  expect(store.machines.alive()).toEqual([])
  expect(() => store.machines.end(newId('vm'), null)).toThrow('There is no machine')
})

test('several writes in a transaction all happen or none does', () => {
  const store = temporaryStore()
  const task = sampleTask()
  const both = () =>
    store.transaction(() => {
      store.tasks.insert(task)
      store.machines.insert(sampleMachine({ taskId: 'task_none' }))
    })
  expect(both).toThrow('refers to')
  expect(store.tasks.list()).toEqual([])
})

test('meta keeps the last value of a key', () => {
  const store = temporaryStore()
  expect(store.meta.get('theme')).toBeNull()
  store.meta.set('theme', 'dark')
  store.meta.set('theme', 'light')
  expect(store.meta.get('theme')).toBe('light')
  store.meta.remove('theme')
  expect(store.meta.get('theme')).toBeNull()
})
