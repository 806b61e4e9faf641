import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AssertionInput } from '../contract/assertion.ts'
import type { RunTaskInput } from '../contract/task.ts'
import { openTestEngine, type TestEngine } from './testing.ts'
import { tinyShell } from './testing-shell.ts'

let house: TestEngine
beforeEach(async () => {
  house = await openTestEngine(tinyShell())
})
afterEach(() => house.close())

const exec = (command: string) => ({ type: 'exec' as const, command })
const has = (file: string, text: string): AssertionInput => ({ check: 'command', argv: ['has', file, text] })

async function treeOf(steps: { do: ReturnType<typeof exec>[] }[], more: Partial<RunTaskInput>) {
  const { engine } = house
  const ended = Promise.withResolvers<void>()
  engine.onEvent((event) => event.type === 'task' && event.task.endedAt && ended.resolve())
  const script = { goal: 'x', steps: steps.map((step) => ({ say: '', ...step })), finish: [has('a', '4')] }
  const { id } = await engine.call('task.run', { goal: 'x', planner: { kind: 'script', script }, ...more })
  await ended.promise
  return engine.call('lineage.get', { taskId: id })
}
const puts = ['1', '2', '3', '4'].map((text) => ({ do: [exec(`put a ${text}`)] }))

test('the machine is kept every few good steps, and each step is joined to what it stands on', async () => {
  const { snapshots, steps } = await treeOf(puts, { checkpoints: { every: 2 } })
  const [first, second] = snapshots.map(({ id }) => id)
  expect(steps.map(({ snapshotBefore, snapshotAfter }) => [snapshotBefore, snapshotAfter])).toEqual([
    [null, null],
    [null, first],
    [first, null],
    [first, second],
    [second, null],
  ])
})

test('whoever looks on hears which moment a machine stands on as soon as it is kept', async () => {
  const { engine } = house
  const heard: (string | null)[] = []
  engine.onEvent((event) => event.type === 'machine' && heard.push(event.machine.parentSnapshot))
  const { id } = await engine.call('vm.create', {})
  const kept = await engine.call('vm.snapshot', { machineId: id })
  expect(heard.at(-1)).toBe(kept.id)
})

test('it is kept before what is risky, also where nobody is asked, and never more often than the budget says', async () => {
  const risky = { do: [exec('rm -rf /home/user/old')] }
  const { snapshots, steps } = await treeOf([risky, ...puts], { approval: 'never' })
  expect(snapshots.map(({ label }) => label)).toEqual(['before a risky step', null])
  expect(steps[0]?.snapshotBefore).toBe(snapshots[0]?.id)
  const tight = await treeOf([...puts, risky], { checkpoints: { every: 1, most: 3 } })
  expect(tight.snapshots).toHaveLength(3)
  expect((await treeOf(puts, { checkpoints: { every: 0 } })).snapshots).toEqual([])
})
