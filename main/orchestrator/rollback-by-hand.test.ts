import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EngineEvent } from '../contract/rpc.ts'
import type { RunTaskInput, Task } from '../contract/task.ts'
import { openTestEngine, type TestEngine } from './testing.ts'
import { tinyShell } from './testing-shell.ts'

let house: TestEngine
let latest: Task | undefined
let look = () => {}
beforeEach(async () => {
  house = await openTestEngine(tinyShell())
  house.engine.onEvent((event: EngineEvent) => {
    if (event.type === 'task') latest = event.task
    look()
  })
})
afterEach(() => house.close())

const exec = (command: string) => ({ type: 'exec' as const, command })
const has = (file: string, text: string) => ({ check: 'command' as const, argv: ['has', file, text] })
const until = (fits: (task: Task) => boolean) =>
  new Promise<Task>((resolve) => {
    look = () => latest && fits(latest) && resolve(latest)
    look()
  })

/** Waits for the file `go` to hold yes: until then the person has all the time they need. */
const waiting: RunTaskInput = {
  goal: 'x',
  planner: {
    kind: 'script',
    script: {
      goal: 'x',
      steps: [
        { say: 'Begin.', do: [exec('put a 1')] },
        { say: 'Spoil.', do: [exec('put a 2')] },
        { say: 'Wait.', expect: [has('go', 'yes')], timeoutSeconds: 60 },
      ],
      finish: [has('a', '2')],
    },
  },
}

test('a person keeps a running task’s machine by a name, and a new task goes on from there', async () => {
  const { engine } = house
  const { id: taskId } = await engine.call('task.run', waiting)
  const { machineId } = await until(({ stepCount }) => stepCount === 2)
  const kept = await engine.call('task.checkpoint', { taskId, label: 'by hand' })
  expect(kept).toMatchObject({ label: 'by hand', taskId, machineId })
  expect((await engine.call('lineage.get', { taskId })).snapshots.map(({ id }) => id)).toEqual([kept.id])
  await engine.call('task.stop', { taskId })
  await expect(engine.call('task.checkpoint', { taskId })).rejects.toMatchObject({ code: 'not_found' })
  const script = { goal: 'y', steps: [{ say: 'Look.' }], finish: [has('a', '2')] }
  await engine.call('task.run', { goal: 'y', planner: { kind: 'script', script }, fromSnapshot: kept.id })
  expect(await until(({ id, endedAt }) => id !== taskId && endedAt !== null)).toMatchObject({ state: 'succeeded' })
})

test('a paused task put back stands where it stood then, on another machine, and waits until it may go on', async () => {
  const { engine } = house
  const { id: taskId } = await engine.call('task.run', waiting)
  const before = await until(({ stepCount }) => stepCount === 2)
  const { id: to } = await engine.call('task.checkpoint', { taskId })
  await engine.call('task.pause', { taskId })
  await engine.call('vm.exec', { machineId: before.machineId ?? '', command: 'put go yes' })
  await until(({ stepCount }) => stepCount === 3)
  await expect(engine.call('task.rollback', { taskId, to: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' })
  await engine.call('task.rollback', { taskId, to })
  const back = await until(({ machineId }) => machineId !== before.machineId)
  expect(back).toMatchObject({ hold: 'paused', stepCount: 3 })
  const machineId = back.machineId ?? ''
  expect(await engine.call('vm.exec', { machineId, command: 'has go yes' })).toMatchObject({ exitCode: 1 })
  expect((await engine.call('vm.list', {})).map(({ id }) => id)).toEqual([machineId])
  await engine.call('vm.exec', { machineId, command: 'put go yes' })
  await engine.call('task.resume', { taskId })
  expect(await until(({ endedAt }) => endedAt !== null)).toMatchObject({ state: 'succeeded' })
})
