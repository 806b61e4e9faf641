import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GodHandError } from '../contract/errors.ts'
import type { EngineEvent } from '../contract/rpc.ts'
import type { ScriptInput, Task } from '../contract/task.ts'
import { Script } from '../contract/task.ts'
import { silentLog } from '../log.ts'
import { pathsIn } from '../paths.ts'
import { FakeDriver } from '../sandbox/fake/driver.ts'
import { openEngine } from './engine.ts'
import { openTestEngine, type TestEngine } from './testing.ts'

let test: TestEngine
beforeEach(async () => {
  test = await openTestEngine((argv, memory) => ({
    exitCode: argv.includes('fail') ? 1 : 0,
    stdout: memory.keys.join(' '),
    stderr: '',
    truncated: false,
  }))
})
afterEach(() => test.close())

const script = (given: Partial<ScriptInput>) => ({
  goal: 'Try it',
  planner: {
    kind: 'script' as const,
    script: Script.parse({
      goal: 'Tried',
      steps: [{ say: 'I press a key.', do: [{ type: 'key', chord: 'a' }], expect: [{ check: 'screen_changed' }] }],
      finish: [{ check: 'command', argv: ['true'] }],
      ...given,
    }),
  },
})

function ended(): Promise<Task> {
  return new Promise((resolve) => {
    const off = test.engine.onEvent((event) => {
      if (event.type !== 'task' || !event.task.endedAt) return
      off()
      resolve(event.task)
    })
  })
}

/** The first event that fits. */
function event(fits: (event: EngineEvent) => boolean): Promise<EngineEvent> {
  return new Promise((resolve) => {
    const off = test.engine.onEvent((each) => {
      if (!fits(each)) return
      off()
      resolve(each)
    })
  })
}

describe('a task', () => {
  it('that holds what it claims succeeds, and every step is kept with its pictures', async () => {
    const end = ended()
    const { id } = await test.engine.call('task.run', script({}))
    expect(await end).toMatchObject({ id, state: 'succeeded', verdict: 'Tried', stepCount: 2 })
    const { steps } = await test.engine.call('task.get', { taskId: id })
    expect(steps.map(({ verdict }) => verdict)).toEqual(['pass', 'pass'])
    const [first] = steps
    expect(first?.before).not.toBe(first?.after)
    expect(await test.engine.framePng(first?.after ?? '')).toBeInstanceOf(Buffer)
    expect(await test.engine.call('vm.list', {})).toEqual([])
  })

  it('whose last check fails has failed, whatever it did before', async () => {
    const end = ended()
    await test.engine.call('task.run', {
      ...script({ finish: [{ check: 'command', argv: ['fail'] }], finishTimeoutSeconds: 0.2 }),
    })
    expect(await end).toMatchObject({ state: 'failed' })
  })

  it('stops when it is told to, in the middle of a long wait', async () => {
    const acting = event((each) => each.type === 'activity' && each.phase === 'acting')
    const steps = [{ say: 'I wait.', do: [{ type: 'wait' as const, seconds: 300 }] }]
    const { id } = await test.engine.call('task.run', script({ steps }))
    await acting
    const stopped = await test.engine.call('task.stop', { taskId: id })
    expect(stopped).toMatchObject({ state: 'stopped', error: null })
    expect(await test.engine.call('vm.list', {})).toEqual([])
  })

  it('whose machine is killed fails with that reason and keeps the steps before', async () => {
    const firstStep = event((each) => each.type === 'step')
    const end = ended()
    const steps = [
      { say: 'I press a key.', do: [{ type: 'key' as const, chord: 'a' }] },
      { say: 'I wait.', do: [{ type: 'wait' as const, seconds: 2 }] },
    ]
    const { id } = await test.engine.call('task.run', script({ steps }))
    await firstStep
    test.driver.machines[0]?.die(new GodHandError('machine_died', 'Somebody pulled the plug.'))
    expect(await end).toMatchObject({ state: 'failed', error: { code: 'machine_died' } })
    expect((await test.engine.call('task.get', { taskId: id })).steps).toHaveLength(1)
  })
})

it.skipIf(process.platform === 'win32')('what an engine keeps is closed to other people of this computer', async () => {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'gh-engine-'))
  await fs.chmod(home, 0o755)
  const engine = await openEngine({ paths: pathsIn(home), log: silentLog, driver: new FakeDriver() })
  await engine.close()
  expect((await fs.stat(home)).mode & 0o777).toBe(0o700)
  await fs.rm(home, { recursive: true })
})

describe('what is not there', () => {
  it.each([
    ['vm.screenshot', { machineId: 'vm_nobody' }],
    ['vm.restore', { snapshotId: 'snap_nothing' }],
    ['task.get', { taskId: 'task_never' }],
  ] as const)('is said by %s with a hint', async (method, input) => {
    const call = test.engine.call(method, input as never)
    await expect(call).rejects.toMatchObject({ code: 'not_found', hint: expect.stringContaining('godhand') })
  })
})

describe('a fork', () => {
  it('goes on from the parent’s moment, and neither sees the other', async () => {
    const parent = await test.engine.call('vm.create', {})
    const press = (machineId: string, chord: string) =>
      test.engine.call('vm.act', { machineId, action: { type: 'key', chord } })
    const keys = async (machineId: string) => (await test.engine.call('vm.exec', { machineId, command: 'keys' })).stdout
    await press(parent.id, 'a')
    const [child] = await test.engine.call('vm.fork', { machineId: parent.id })
    const childId = child?.id ?? ''
    await press(childId, 'b')
    await press(parent.id, 'c')
    expect(await keys(childId)).toBe('a b')
    expect(await keys(parent.id)).toBe('a c')
    const [snapshot] = await test.engine.call('snapshot.list', {})
    expect(child?.parentSnapshot).toBe(snapshot?.id)
  })
})
