import { expect, test } from 'vitest'
import { lineageOf } from './lineage.ts'
import {
  finished,
  noon,
  sampleBranch,
  sampleMachine,
  sampleSnapshot,
  sampleStep,
  sampleTask,
  temporaryStore,
} from './testing/samples.ts'

test('a branch is read back as it was written, in the tree of its task', () => {
  const store = temporaryStore()
  const task = sampleTask({ state: 'running' })
  store.tasks.insert(task)
  const machine = sampleMachine({ taskId: task.id })
  store.machines.insert(machine)
  store.snapshots.begin(sampleSnapshot({ id: 'snap_1', taskId: task.id, machineId: machine.id }))
  store.snapshots.finish('snap_1', finished)
  const branch = sampleBranch(task.id, { fromSnapshot: 'snap_1', machineId: machine.id })
  store.branches.insert(branch)
  store.steps.append(sampleStep(task.id, 0, { branchId: branch.id, machineId: machine.id, snapshotBefore: 'snap_1' }))
  const ended = store.branches.update(branch.id, {
    state: 'passed',
    won: true,
    reasons: ['It alone passed.'],
    wanted: ['Made /home/user/a'],
    files: ['/home/user/a'],
    endedAt: noon,
  })
  expect(store.branches.get(branch.id)).toEqual(ended)
  expect(lineageOf(store, task.id)).toMatchObject({
    taskId: task.id,
    machines: [{ id: machine.id }],
    snapshots: [{ id: 'snap_1' }],
    branches: [{ id: branch.id, won: true, fromSnapshot: 'snap_1' }],
    steps: [{ index: 0, branchId: branch.id, machineId: machine.id, snapshotBefore: 'snap_1' }],
  })
})

test('branches that ran when the engine died are interrupted, and those that had ended stay', () => {
  const store = temporaryStore()
  const task = sampleTask({ state: 'running' })
  store.tasks.insert(task)
  const [running, waiting, passed] = [
    sampleBranch(task.id),
    sampleBranch(task.id, { state: 'waiting' }),
    sampleBranch(task.id, { state: 'passed' }),
  ]
  for (const branch of [running, waiting, passed]) store.branches.insert(branch)
  store.recoverInterrupted()
  expect(store.branches.ofTask(task.id).map(({ state }) => state)).toEqual(['interrupted', 'interrupted', 'passed'])
})
