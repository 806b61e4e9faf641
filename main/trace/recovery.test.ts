import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newId } from './ids.ts'
import { describeRecovery } from './recovery.ts'
import { openStore } from './store.ts'
import {
  finished,
  sampleMachine,
  sampleSnapshot,
  sampleTask,
  temporaryFolder,
  temporaryStore,
} from './testing/samples.ts'

test('what ran is interrupted, what was half written goes, what had ended stays', () => {
  const store = temporaryStore()
  const [queued, running, done] = [sampleTask(), sampleTask({ state: 'running' }), sampleTask({ state: 'succeeded' })]
  for (const task of [queued, running, done]) store.tasks.insert(task)
  const [living, ended] = [sampleMachine({ taskId: running.id, pid: 4242 }), sampleMachine()]
  for (const machine of [living, ended]) store.machines.insert(machine)
  store.machines.end(ended.id, null)
  const [half, whole] = [sampleSnapshot(), sampleSnapshot()]
  for (const snapshot of [half, whole]) store.snapshots.begin(snapshot)
  store.snapshots.finish(whole.id, finished)

  const recovery = store.recoverInterrupted()
  expect(recovery.tasks.map(({ id }) => id)).toEqual([queued.id, running.id])
  expect(recovery.machines).toEqual([{ ...living, endedAt: null, endReason: null, bornOf: null, environment: null }])
  expect(recovery.snapshots).toEqual([half.id])
  const task = store.tasks.get(running.id)
  expect(task).toMatchObject({ state: 'interrupted', error: { code: 'interrupted' } })
  expect(task?.endedAt).not.toBeNull()
  expect(store.tasks.get(done.id)).toEqual(done)
  expect(store.machines.get(living.id)?.endReason?.code).toBe('interrupted')
  expect(store.machines.get(ended.id)?.endReason).toBeNull()
  expect(store.snapshots.list().map(({ id }) => id)).toEqual([whole.id])
  expect(store.recoverInterrupted()).toEqual({ tasks: [], machines: [], snapshots: [] })
})

test('the notices say which task broke off and what is kept; an orderly start has none', () => {
  const task = sampleTask({ goal: 'Tidy the desktop', stepCount: 3 })
  const machine = { ...sampleMachine(), endedAt: null, endReason: null, bornOf: null, environment: null }
  expect(describeRecovery({ tasks: [task], machines: [machine], snapshots: ['a', 'b'] })).toEqual([
    '“Tidy the desktop” was interrupted: GodHand ended while it ran. 3 finished steps kept.',
    '1 machine of the last run ended with it.',
    '2 unfinished snapshots removed.',
  ])
  expect(describeRecovery({ tasks: [], machines: [], snapshots: [] })).toEqual([])
})

test('after kill -9 in the middle of a task every step that was told is there', async () => {
  const file = path.join(temporaryFolder(), 'godhand.db')
  const task = sampleTask()
  const machineId = newId('vm')
  const before = openStore(file)
  before.tasks.insert(task)
  before.close()

  const script = fileURLToPath(new URL('testing/append-until-killed.ts', import.meta.url))
  const child = spawn(process.execPath, [script, file, task.id, machineId], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  let told = -1
  for await (const line of createInterface({ input: child.stdout })) {
    told = Number(line)
    if (told === 25) child.kill('SIGKILL')
  }
  expect(await exit).toEqual([null, 'SIGKILL'])

  const store = temporaryStore(file)
  expect(store.unclean).toBe(true)
  const { tasks, machines, snapshots } = store.recoverInterrupted()
  expect(tasks.map(({ id }) => id)).toEqual([task.id])
  expect(machines).toMatchObject([{ id: machineId, pid: child.pid }])
  expect(snapshots).toEqual(['snap_half'])
  const steps = store.steps.list(task.id)
  expect(told).toBeGreaterThanOrEqual(25)
  // The step in flight may have been committed without having been told.
  expect([told + 1, told + 2]).toContain(steps.length)
  expect(tasks[0]?.stepCount).toBe(steps.length)
})
