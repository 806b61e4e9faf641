import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AssertionInput } from '../contract/assertion.ts'
import type { RunTaskInput, Task } from '../contract/task.ts'
import * as capacity from './capacity.ts'
import { openTestEngine, type TestEngine } from './testing.ts'
import { tinyShell } from './testing-shell.ts'

let house: TestEngine
beforeEach(async () => {
  house = await openTestEngine(tinyShell())
})
afterEach(async () => {
  vi.restoreAllMocks()
  await house.close()
})

const exec = (command: string) => ({ type: 'exec' as const, command })
const has = (file: string, text: string): AssertionInput => ({ check: 'command', argv: ['has', file, text] })
const way = (plan: string, commands: string[], finish: AssertionInput[]) => ({
  plan,
  steps: commands.map((command) => ({ say: command, do: [exec(command)] })),
  finish,
  finishTimeoutSeconds: 0.2,
})
const script = (steps: unknown[], finish: AssertionInput[], more: Partial<RunTaskInput> = {}): RunTaskInput =>
  ({
    goal: 'x',
    planner: { kind: 'script', script: { goal: 'x', steps, finish, finishTimeoutSeconds: 0.2 } },
    ...more,
  }) as RunTaskInput

async function run(request: RunTaskInput): Promise<Task> {
  const { engine } = house
  const end = Promise.withResolvers<Task>()
  const started = { id: '' }
  const off = engine.onEvent((event) => {
    if (event.type === 'task' && event.task.id === started.id && event.task.endedAt) end.resolve(event.task)
  })
  const task = await engine.call('task.run', request)
  started.id = task.id
  const now = (await engine.call('task.get', { taskId: task.id })).task
  if (now.endedAt) end.resolve(now)
  return end.promise.finally(off)
}
const treeOf = (task: Task) => house.engine.call('lineage.get', { taskId: task.id })

const threeWays = {
  say: 'Three ways.',
  do: [
    {
      type: 'branch',
      options: [
        way('wrong', ['put a 1'], [has('a', '2')]),
        way('right', ['put a 2'], [has('a', '2')]),
        way('right, but longer', ['put b 1', 'put a 2'], [has('a', '2')]),
      ],
    },
  ],
}

test('the best way wins on evidence, its machine becomes the task’s, and the others are gone', async () => {
  const task = await run(
    script([{ say: 'Begin.', do: [exec('put start yes')] }, threeWays], [has('a', '2'), has('start', 'yes')], {
      keepMachine: true,
    }),
  )
  expect(task).toMatchObject({ state: 'succeeded' })
  const tree = await treeOf(task)
  expect(tree.branches.map(({ plan, state, won }) => ({ plan, state, won }))).toEqual([
    { plan: 'wrong', state: 'failed', won: false },
    { plan: 'right', state: 'passed', won: true },
    { plan: 'right, but longer', state: 'passed', won: false },
  ])
  expect(tree.branches[1]?.reasons.join(' ')).toContain('Steps: 2, as good as any.')
  expect(tree.machineId).toBe(tree.branches[1]?.machineId)
  expect((await house.engine.call('vm.list', {})).map(({ id }) => id)).toEqual([tree.machineId])
  const own = tree.steps.filter(({ branchId }) => branchId === null)
  expect(own.at(-1)?.machineId).toBe(tree.machineId)
  expect(tree.steps.filter(({ branchId }) => branchId !== null).length).toBeGreaterThan(4)
  expect(new Set(tree.branches.map(({ fromSnapshot }) => fromSnapshot)).size).toBe(1)
})

test('no winner goes back to the planner, and the machine is as it was', async () => {
  const none = {
    say: 'Two.',
    do: [{ type: 'branch', options: [way('a', ['put a 1'], [has('a', '2')]), way('b', ['put a 3'], [has('a', '2')])] }],
  }
  const task = await run(script([none], [has('a', '2')]))
  expect(task).toMatchObject({ state: 'failed' })
  expect(task.verdict).toContain('None of the ways led there')
  expect(await house.engine.call('vm.list', {})).toEqual([])
})

test('losers are kept as snapshots where that is wanted, and a task goes on from there', async () => {
  const task = await run(script([threeWays], [has('a', '2')], { branching: { losers: 'keep' } }))
  const [wrong] = (await treeOf(task)).branches
  expect(wrong?.endSnapshot).not.toBeNull()
  const next = await run(script([{ say: 'Look.' }], [has('a', '1')], { fromSnapshot: wrong?.endSnapshot ?? '' }))
  expect(next.state).toBe('succeeded')
  expect((await treeOf(next)).fromSnapshot).toBe(wrong?.endSnapshot)
})

test('width and depth have limits, which are said', async () => {
  const wide = await run(script([threeWays], [has('a', '2')], { branching: { width: 2 } }))
  expect(wide.verdict).toContain('A branch may have 2 ways, not 3.')
  const inner = { say: 'Inside.', do: [{ type: 'branch', options: [way('deep', ['put a 2'], [has('a', '2')])] }] }
  const nested = {
    say: 'Outside.',
    do: [{ type: 'branch', options: [{ plan: 'outer', steps: [inner], finish: [has('a', '2')] }] }],
  }
  expect((await run(script([nested], [has('a', '2')], { branching: { depth: 1 } }))).state).toBe('failed')
  const task = await run(script([nested], [has('a', '2')], { branching: { depth: 2 } }))
  expect(task.state).toBe('succeeded')
  const { branches } = await treeOf(task)
  expect(branches.map(({ won }) => won)).toEqual([true, true])
  expect(branches[1]?.parentId).toBe(branches[0]?.id)
})

test('a branch that hangs ends with that verdict, and another wins', async () => {
  const hang = {
    plan: 'hang',
    steps: [{ say: 'Wait.', do: [{ type: 'wait', seconds: 300 }] }],
    finish: [has('a', '2')],
  }
  const branch = {
    type: 'branch',
    options: [hang, way('right', ['put a 2'], [has('a', '2')])],
    limits: { maxSeconds: 10 }, // the other has its work to do on a busy host
  }
  const task = await run(script([{ say: 'Try.', do: [branch] }], [has('a', '2')]))
  expect(task.state).toBe('succeeded')
  expect((await treeOf(task)).branches.map(({ state, won }) => ({ state, won }))).toEqual([
    { state: 'timed_out', won: false },
    { state: 'passed', won: true },
  ])
}, 60_000)

test('a host short of memory runs the ways one after the other, and what does not fit at all is refused', async () => {
  const { engine } = house
  const most = { machines: 0 }
  let highest = 0
  const off = engine.onEvent(() => {
    highest = Math.max(highest, house.driver.machines.filter(({ state }) => state.kind !== 'dead').length)
  })
  const total = capacity.hostMemory().totalBytes
  vi.spyOn(process, 'availableMemory').mockImplementation(() => {
    const alive = house.driver.machines.filter(({ state }) => state.kind !== 'dead').length
    return alive < most.machines ? total * 4 : 0
  })
  most.machines = 2
  const task = await run(script([threeWays], [has('a', '2')]))
  expect(highest).toBe(2)
  expect(task.state).toBe('succeeded')
  const states = (await treeOf(task)).branches.map(({ state }) => state)
  expect(states[0]).toBe('failed')
  expect(states.filter((state) => state === 'passed').length).toBeGreaterThan(0)
  most.machines = 1
  const none = await run(script([threeWays], [has('a', '2')]))
  expect((await treeOf(none)).branches.map(({ state }) => state)).toEqual(['refused', 'refused', 'refused'])
  expect(none.state).toBe('failed')
  off()
})

test('checkpoint and rollback bring back what was there, by label', async () => {
  const steps = [
    { say: 'Keep.', do: [exec('put a 1'), { type: 'checkpoint', label: 'good' }] },
    { say: 'Spoil.', do: [exec('put a 2')], expect: [has('a', '2')] },
    { say: 'Back.', do: [{ type: 'rollback', to: 'good', why: 'spoiled' }], expect: [has('a', '1')] },
  ]
  const task = await run(script(steps, [has('a', '1')]))
  expect(task).toMatchObject({ state: 'succeeded' })
  const unknown = await run(
    script([{ say: 'Back.', do: [{ type: 'rollback', to: 'nowhere', why: '' }] }], [has('a', '1')]),
  )
  expect(unknown.verdict).toContain('There is no checkpoint “nowhere”.')
})

test('a step that breaks things is undone and done again until it does not, where recovery is on', async () => {
  const steps = [{ say: 'The flaky one.', do: [exec('flaky a')], expect: [has('a', 'right')], timeoutSeconds: 0.1 }]
  const lucky = async (recovery?: { after: number; times: number }) => {
    const luck = [0.1, 0.2, 0.9]
    await house.close()
    house = await openTestEngine(tinyShell(() => luck.shift() ?? 0))
    return run(script(steps, [has('a', 'right')], recovery ? { recovery } : {}))
  }
  expect((await lucky()).state).toBe('failed')
  expect((await lucky({ after: 1, times: 1 })).state).toBe('failed') // put back once is not often enough here
  const task = await lucky({ after: 1, times: 2 })
  expect(task.state).toBe('succeeded')
  const { steps: done, machines } = await treeOf(task)
  expect(done.map(({ verdict }) => verdict)).toEqual(['fail', 'fail', 'pass', 'pass'])
  expect(machines).toHaveLength(3) // the first, and one each time it was put back
})
