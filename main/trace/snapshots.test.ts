import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Store } from './store.ts'
import {
  finished,
  sampleFrame,
  sampleMachine,
  sampleSnapshot,
  sampleStep,
  sampleTask,
  temporaryFolder,
  temporaryStore,
} from './testing/samples.ts'

function taken(store: Store, part: Parameters<typeof sampleSnapshot>[0] = {}): string {
  const snapshot = sampleSnapshot(part)
  store.snapshots.begin(snapshot)
  return store.snapshots.finish(snapshot.id, finished).id
}

test('a snapshot is seen once it is finished, with all it was given', () => {
  const store = temporaryStore()
  const frame = sampleFrame('screen')
  store.frames.insert(frame)
  const snapshot = sampleSnapshot({ label: 'before the update', pinned: true })
  store.snapshots.begin(snapshot)
  expect(store.snapshots.get(snapshot.id)).toBeNull()
  expect(store.snapshots.list()).toEqual([])
  const ready = store.snapshots.finish(snapshot.id, { ...finished, frame: frame.hash })
  expect(ready).toEqual({ ...snapshot, ...finished, frame: frame.hash })
  expect(store.snapshots.list()).toEqual([ready])
  expect(() => store.snapshots.finish(snapshot.id, finished)).toThrow('is not being written')
  expect(store.frames.unreferenced()).toEqual([])
})

test('a snapshot that failed is forgotten, a finished one cannot be discarded', () => {
  const store = temporaryStore()
  const failed = sampleSnapshot()
  store.snapshots.begin(failed)
  store.snapshots.discard(failed.id)
  expect(() => store.snapshots.finish(failed.id, finished)).toThrow('is not being written')
  const kept = taken(store)
  store.snapshots.discard(kept)
  expect(store.snapshots.get(kept)).not.toBeNull()
})

test('a snapshot stands only on a finished one', () => {
  const store = temporaryStore()
  const half = sampleSnapshot()
  store.snapshots.begin(half)
  expect(() => store.snapshots.begin(sampleSnapshot({ parentId: half.id }))).toThrow(`There is no snapshot ${half.id}.`)
})

test('a finished snapshot does not change, whoever tries; its label and pin may', () => {
  const file = path.join(temporaryFolder(), 'godhand.db')
  const store = temporaryStore(file)
  const id = taken(store)
  expect(store.snapshots.label(id, 'home').label).toBe('home')
  expect(store.snapshots.pin(id, true).pinned).toBe(true)
  const intruder = new Database(file)
  expect(() => intruder.prepare(`UPDATE snapshots SET template_key = 'other'`).run()).toThrow('does not change')
  intruder.close()
})

test('nothing is removed while something depends on it', () => {
  const store = temporaryStore()
  const root = taken(store)
  const child = taken(store, { parentId: root })
  const machine = sampleMachine({ parentSnapshot: child })
  store.machines.insert(machine)
  expect(store.snapshots.children(root).map(({ id }) => id)).toEqual([child])

  expect(() => store.snapshots.remove(root)).toThrow(`${child} stands on it`)
  expect(() => store.snapshots.remove(child)).toThrow(`${machine.id} runs from it`)
  store.machines.end(machine.id, null)
  store.snapshots.pin(child, true)
  expect(() => store.snapshots.remove(child)).toThrow('it is pinned')
  store.snapshots.pin(child, false)
  store.snapshots.remove(child)
  store.snapshots.remove(root)
  expect(store.snapshots.list()).toEqual([])
})

test('a step outlives its snapshot and then says that there is none', () => {
  const store = temporaryStore()
  const task = sampleTask()
  store.tasks.insert(task)
  const [before, after] = [taken(store), taken(store)]
  store.steps.append(sampleStep(task.id, 0, { snapshotBefore: before, snapshotAfter: after }))
  store.snapshots.remove(before)
  expect(store.steps.get(task.id, 0)).toMatchObject({ snapshotBefore: null, snapshotAfter: after })
  const unknown = sampleStep(task.id, 1, { snapshotBefore: 'snap_none' })
  expect(() => store.steps.append(unknown)).toThrow('refers to')
})
