import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ActInput, describeAct } from '../contract/action.ts'
import { Script, type Task } from '../contract/task.ts'
import { openTestEngine, type TestEngine } from './testing.ts'

let house: TestEngine
beforeEach(async () => {
  house = await openTestEngine((_argv, { keys }) => ({
    exitCode: 0,
    stdout: keys.join(' '),
    stderr: '',
    truncated: false,
  }))
})
afterEach(() => house.close())

/** Starts a task and waits for its end. */
async function ended(begin: () => Promise<Task>): Promise<Task> {
  const over = Promise.withResolvers<Task>()
  const seen = new Map<string, Task>()
  let id = ''
  const off = house.engine.onEvent((event) => {
    if (event.type !== 'task' || !event.task.endedAt) return
    seen.set(event.task.id, event.task)
    if (event.task.id === id) over.resolve(event.task)
  })
  id = (await begin()).id
  const early = seen.get(id)
  if (early) over.resolve(early)
  return over.promise.finally(off)
}

const press = (chord: string): ActInput => ({ type: 'key', chord })
const script = (...steps: ActInput[][]) =>
  Script.parse({
    goal: 'Pressed',
    steps: steps.map((acts) => ({ say: 'I press.', do: acts, expect: [{ check: 'screen_changed' }] })),
    finish: [{ check: 'command', argv: ['true'] }],
  })
const record = (...steps: ActInput[][]) =>
  ended(() =>
    house.engine.call('task.run', { goal: 'Press keys', planner: { kind: 'script', script: script(...steps) } }),
  )
const keysOf = async (machineId: string) =>
  (await house.engine.call('vm.exec', { machineId, command: 'keys' })).stdout.trim()

test('a step that was kept opens as a live machine, and only what was done by then is in it', async () => {
  const { id } = await record([press('a'), { type: 'checkpoint', label: 'one' }], [press('b')])
  const booted = await house.engine.call('trace.boot', { taskId: id, step: 0 })
  if (booted.kind !== 'machine') throw new Error('it was kept')
  expect(await keysOf(booted.machine.id)).toBe('a')
  expect(booted.machine).toMatchObject({ taskId: null, state: { kind: 'running' } })
})

test('a step that was not kept is reached from the nearest one before it, and its machine stays', async () => {
  const { id } = await record([press('a'), { type: 'checkpoint', label: 'one' }], [press('b')], [press('c')])
  const task = await ended(async () => {
    const booted = await house.engine.call('trace.boot', { taskId: id, step: 1 })
    if (booted.kind !== 'replaying') throw new Error('it was not kept')
    expect(booted).toMatchObject({ steps: 1, fromSnapshot: expect.stringMatching(/^snap_/) })
    return booted.task
  })
  expect(task).toMatchObject({ state: 'succeeded', verdict: 'The machine is as it was after step 2 of the trace.' })
  expect(await keysOf(task.machineId ?? '')).toBe('a b')
  const { steps } = await house.engine.call('task.get', { taskId: task.id })
  expect(steps.flatMap(({ actions }) => actions.map(({ act }) => describeAct(act)))).toEqual(['Press b'])
})

test('before the first step there is a fresh desktop, and a step that is not there is said so', async () => {
  const { id } = await record([press('a')])
  const booted = await house.engine.call('trace.boot', { taskId: id, step: 0, moment: 'before' })
  if (booted.kind !== 'machine') throw new Error('there is nothing to do again')
  expect(await keysOf(booted.machine.id)).toBe('')
  await expect(house.engine.call('trace.boot', { taskId: id, step: 7 })).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no step 8: the trace has 2.',
  })
})

test('a replay begins on the moment its recording began on, while that is there', async () => {
  const { id } = await record([press('a'), { type: 'checkpoint', label: 'one' }])
  const [snapshot] = await house.engine.call('snapshot.list', {})
  const onward = await ended(() =>
    house.engine.call('task.run', {
      goal: 'Go on',
      planner: { kind: 'script', script: script([press('b')]) },
      fromSnapshot: snapshot?.id,
    }),
  )
  const again = await ended(() =>
    house.engine.call('task.run', { goal: 'Again', planner: { kind: 'replay', taskId: onward.id }, keepMachine: true }),
  )
  expect(again.state, again.verdict ?? '').toBe('succeeded')
  expect(await keysOf(again.machineId ?? '')).toBe('a b')
  expect(id).not.toBe(onward.id)
})
