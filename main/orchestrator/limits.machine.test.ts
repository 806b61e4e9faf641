import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { EngineEvent } from '../contract/rpc.ts'
import type { RunTaskInput, Task } from '../contract/task.ts'
import type { Engine } from '../engine.ts'
import { openLog } from '../log.ts'
import { openTestDriver, type TestDriver } from '../sandbox/qemu/testing.ts'
import { hostMemory } from './capacity.ts'
import { openEngine } from './engine.ts'

/** Where a task on a real machine is cut short: by the person, by the host, by its own limits. */

let test: TestDriver
let engine: Engine
beforeAll(async () => {
  test = await openTestDriver()
  await test.driver.prepare('desktop', () => {})
  engine = await openEngine({ paths: test.paths, log: openLog(test.paths), driver: test.driver })
})
afterAll(async () => {
  await engine.close()
  await test.close()
})
afterEach(() => vi.restoreAllMocks())

const exec = (command: string, timeoutSeconds = 60) => ({ type: 'exec' as const, command, timeoutSeconds })

/** The first event that fits, from now on. */
function until<T>(fits: (event: EngineEvent) => T | null): Promise<T> {
  const found = Promise.withResolvers<T>()
  const off = engine.onEvent((event) => {
    const fitting = fits(event)
    if (fitting !== null) found.resolve(fitting)
  })
  return found.promise.finally(off)
}
const ended = () => until<Task>((event) => (event.type === 'task' && event.task.endedAt ? event.task : null))

it('is stopped within a second while a command runs in the guest, and the command is gone', async () => {
  const finish = [{ check: 'file_exists' as const, path: '/home/user/never' }]
  const steps = [
    { say: 'Something first.', do: [exec('true')] },
    { say: 'For long.', do: [exec('sleep 4321', 300)] },
  ]
  const acting = until((event) => (event.type === 'activity' && event.text.includes('4321') ? true : null))
  const planner = { kind: 'script' as const, script: { goal: 'Sleep', steps, finish } }
  const { id: taskId } = await engine.call('task.run', { goal: 'Sleep', planner, keepMachine: true })
  await acting
  const machineId = (await engine.call('task.get', { taskId })).task.machineId ?? ''
  const sleeping = async () => (await engine.call('vm.exec', { machineId, command: 'pgrep -x sleep -a' })).stdout
  await vi.waitFor(async () => expect(await sleeping()).toContain('4321'), { timeout: 20_000 })
  const began = performance.now()
  expect(await engine.call('task.stop', { taskId })).toMatchObject({ state: 'stopped' })
  const tookMs = performance.now() - began
  console.info(`stopped in ${Math.round(tookMs)} ms`)
  expect(tookMs).toBeLessThan(1000)
  await vi.waitFor(async () => expect(await sleeping()).not.toContain('4321'), { timeout: 20_000 })
  await engine.call('vm.destroy', { machineId })
}, 120_000)

it('ways that do not fit into memory at once run one after the other, those too many are refused, and none stays', async () => {
  const up = new Set<string>()
  let highest = 0
  const off = engine.onEvent((event) => {
    if (event.type !== 'machine') return
    if (event.machine.state.kind === 'dead') up.delete(event.machine.id)
    else up.add(event.machine.id)
    highest = Math.max(highest, up.size)
  })
  // Room for the task's own machine and one more, whatever this host has.
  const { totalBytes } = hostMemory()
  vi.spyOn(process, 'availableMemory').mockImplementation(() => (up.size < 2 ? totalBytes * 4 : 0))
  const way = (text: string) => ({
    plan: text,
    steps: [{ say: text, do: [exec(`echo ${text} > ~/it`)] }],
    finish: [{ check: 'file_content' as const, path: '/home/user/it', text: 'right' }],
    finishTimeoutSeconds: 1,
  })
  const options = [way('wrong'), way('right'), way('also right')]
  const script = {
    goal: 'Choose',
    steps: [{ say: 'Three ways.', do: [{ type: 'branch' as const, options }] }],
    finish: [{ check: 'file_content' as const, path: '/home/user/it', text: 'right' }],
  }
  const wish: RunTaskInput = { goal: script.goal, planner: { kind: 'script', script } }
  const wide = ended()
  await engine.call('task.run', { ...wish, branching: { width: 2 } })
  expect((await wide).verdict).toContain('A branch may have 2 ways, not 3.')

  const end = ended()
  await engine.call('task.run', wish)
  const task = await end
  expect(task.state).toBe('succeeded')
  expect(highest).toBe(2)
  const { branches, machines } = await engine.call('lineage.get', { taskId: task.id })
  expect(branches.map(({ state, won }) => ({ state, won }))).toEqual([
    { state: 'failed', won: false },
    { state: 'passed', won: true },
    { state: 'refused', won: false },
  ])
  expect(branches[2]?.verdict).toContain('of memory')
  expect(machines.every(({ endedAt }) => endedAt !== null)).toBe(true)
  expect(await engine.call('vm.list', {})).toEqual([])
  off()
}, 180_000)
