import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Task } from '../contract/task.ts'
import { RetentionPolicy } from '../contract/trace.ts'
import { deleteTrace, sweepFrames } from './delete-trace.ts'
import { applyRetention, expiredTraces } from './retention.ts'
import { emptyHouse, type House, paintedFrame, record } from './testing/recorded.ts'
import { finished, sampleSnapshot } from './testing/samples.ts'

const pictures = (house: House) =>
  fs.readdirSync(path.join(house.folder, 'frames'), { recursive: true }).filter((name) => String(name).endsWith('.png'))

test('deleting a trace frees the pictures only it showed, and says how much that was', async () => {
  const house = await emptyHouse()
  const short = await record(house, { steps: 2 }) // pictures 0, 1, 2
  const long = await record(house, { steps: 5 }) // pictures 0 to 5
  const own = house.store.frames
    .ofTask(long.id)
    .filter(({ hash }) => !house.store.frames.ofTask(short.id).some((other) => other.hash === hash))
  const before = house.store.diskUse()
  const freed = await deleteTrace(house.store, house.frames, long.id)
  expect(freed).toEqual({ traces: 1, frames: 3, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0) })
  expect(pictures(house)).toHaveLength(3)
  expect(house.store.steps.list(long.id)).toEqual([])
  expect(house.store.library.find({ text: 'poem' }).entries.map(({ task }) => task.id)).toEqual([short.id])
  expect(house.store.diskUse()).toMatchObject({
    traces: 1,
    steps: 2,
    frames: { count: 3, bytes: before.frames.bytes - freed.bytes },
  })
})

test('a running task is not deleted, and what it may be about to show is not taken from it', async () => {
  const house = await emptyHouse()
  const old = await record(house, { steps: 2 })
  const running = await record(house, { steps: 0, task: { state: 'running', createdAt: new Date().toISOString() } })
  await expect(deleteTrace(house.store, house.frames, running.id)).rejects.toMatchObject({ code: 'conflict' })
  const shared = await paintedFrame(1)
  await house.frames.put(shared.hash, shared.png) // kept by the running task, whose step is not written yet
  await deleteTrace(house.store, house.frames, old.id)
  expect(await house.frames.get(shared.hash)).not.toBeNull()
})

test('the picture of a snapshot stays when the trace it was taken in goes', async () => {
  const house = await emptyHouse()
  const task = await record(house, { steps: 1 })
  const shown = house.store.frames.ofTask(task.id)[0]?.hash ?? ''
  const snapshot = sampleSnapshot({ taskId: task.id })
  house.store.snapshots.begin(snapshot)
  house.store.snapshots.finish(snapshot.id, { ...finished, frame: shown })
  await deleteTrace(house.store, house.frames, task.id)
  expect(await house.frames.get(shown)).not.toBeNull()
  expect(pictures(house)).toHaveLength(1)
})

test('a sweep removes old live screenshots and files without a record, and nothing that is shown', async () => {
  const house = await emptyHouse()
  await record(house, { steps: 1 })
  const live = await paintedFrame(50)
  const lost = await paintedFrame(51)
  await house.frames.put(live.hash, live.png)
  await house.frames.put(lost.hash, lost.png)
  const { png: _, ...row } = live
  house.store.frames.insert({ ...row, createdAt: new Date().toISOString() })
  expect(await sweepFrames(house.store, house.frames)).toMatchObject({ frames: 0 })
  const later = Date.now() + 2 * 3_600_000
  expect(await sweepFrames(house.store, house.frames, later)).toMatchObject({
    frames: 2,
    bytes: live.bytes + lost.bytes,
  })
  expect(pictures(house)).toHaveLength(2)
})

test('retention removes by age, number and size, oldest first, and spares kept tags', async () => {
  const house = await emptyHouse()
  const day = (n: number) => `2026-01-0${n}T00:00:00.000Z`
  const tasks: Task[] = []
  for (let n = 1; n <= 5; n++) tasks.push(await record(house, { steps: n, task: { createdAt: day(n) } }))
  house.store.tags.add(tasks[0]?.id ?? '', 'keep')
  const now = Date.parse(day(6))
  const gone = (policy: object) =>
    expiredTraces(house.store, RetentionPolicy.parse(policy), now).map(({ taskId, reason }) => [
      tasks.findIndex(({ id }) => id === taskId) + 1,
      reason,
    ])
  expect(gone({})).toEqual([])
  expect(gone({ maxAgeDays: 2.5 })).toEqual([
    [2, 'age'],
    [3, 'age'],
  ])
  expect(gone({ maxTraces: 2 })).toEqual([
    [2, 'count'],
    [3, 'count'],
  ])
  expect(gone({ maxTraces: 0, keepTags: [] })).toHaveLength(5)
  const newest = house.store.library.find({ limit: 1 }).entries[0]?.bytes ?? 0
  expect(gone({ maxBytes: newest })).toEqual([
    [2, 'size'],
    [3, 'size'],
    [4, 'size'],
  ])
  const freed = await applyRetention(house.store, house.frames, RetentionPolicy.parse({ maxTraces: 1 }))
  expect(freed).toMatchObject({ traces: 3 })
  expect(house.store.library.find({}).entries.map(({ task }) => task.stepCount)).toEqual([5, 1])
})
