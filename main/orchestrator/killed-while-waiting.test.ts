import fs from 'node:fs/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { AnthropicServer, type Respond, tool } from '../agent/wire/anthropic-server.ts'
import type { Task } from '../contract/task.ts'
import type { Engine } from '../engine.ts'
import { silentLog } from '../log.ts'
import { pathsIn } from '../paths.ts'
import { FakeDriver } from '../sandbox/fake/driver.ts'
import { openEngine } from './engine.ts'
import { openTestEngine } from './testing.ts'
import { tinyShell } from './testing-shell.ts'

/** The engine is killed while it waits for the person: what the next one makes of it, and what the person can do. */

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const undo of cleanUp.splice(0).reverse()) await undo()
})

const lastOf = (request: Parameters<Respond>[0] | undefined) => JSON.stringify(request?.messages.at(-1))
const finish = {
  content: [tool('finish', { summary: 'Done.', checks: [{ check: 'command', argv: ['has', 'a', '7'] }] })],
}
const put = { content: [tool('bash', { command: 'put a 7' })] }
const risky = { content: [tool('bash', { command: 'rm -rf old' })] }
const asks = { content: [tool('ask_person', { question: 'Which number?' })] }

/** Two engines on two sides of a kill: the second finds the files as they lay on the disk at that moment. */
async function open(respond: Respond) {
  const server = await AnthropicServer.start(respond)
  cleanUp.push(() => server.close())
  vi.stubEnv('ANTHROPIC_API_KEY', server.apiKey)
  vi.stubEnv('ANTHROPIC_BASE_URL', server.url)
  const { engine, paths, close } = await openTestEngine(tinyShell())
  cleanUp.push(close)
  const kill = async () => {
    const home = `${paths.home}-after`
    await fs.cp(paths.home, home, { recursive: true })
    const again = await openEngine({ paths: pathsIn(home), log: silentLog, driver: new FakeDriver(tinyShell()) })
    cleanUp.push(async () => {
      await again.close()
      await fs.rm(home, { recursive: true, force: true })
    })
    return again
  }
  const { id: taskId } = await engine.call('task.run', { goal: 'Put 7 into a', planner: { kind: 'anthropic' } })
  return { server, engine, taskId, kill }
}

const until = (engine: Engine, taskId: string, fits: (task: Task) => boolean) =>
  vi.waitFor(
    async () => {
      const { task, steps } = await engine.call('task.get', { taskId })
      if (!fits(task)) throw new Error(`The task is ${task.state}.`)
      return { task, steps }
    },
    { timeout: 15_000 },
  )
const ended = (engine: Engine, taskId: string) => until(engine, taskId, ({ endedAt }) => endedAt !== null)

it('for leave: nothing was done, the model hears of it, and leave is asked for anew', async () => {
  const { server, engine, taskId, kill } = await open((request, count) => {
    if (count < 2) return risky
    return lastOf(request).includes('did not allow') ? put : finish
  })
  await until(engine, taskId, ({ waitingFor }) => waitingFor?.kind === 'approval')
  const again = await kill()
  expect((await again.call('task.get', { taskId })).task).toMatchObject({ state: 'interrupted', waitingFor: null })
  await expect(again.call('task.approve', { taskId, answer: 'allow' })).rejects.toMatchObject({ code: 'conflict' })
  await again.call('task.resumeInterrupted', { taskId })
  await until(again, taskId, ({ waitingFor }) => waitingFor?.kind === 'approval')
  expect(lastOf(server.requests[1])).toContain('GodHand was restarted')
  await again.call('task.approve', { taskId, answer: 'deny' })
  expect(await ended(again, taskId)).toMatchObject({ task: { state: 'succeeded' } })
  expect(server.refused).toEqual([])
})

it('for an answer: the model hears that there was none, asks again, and gets it', async () => {
  const { server, engine, taskId, kill } = await open((request, count) => {
    if (count < 2) return asks
    return lastOf(request).includes('Seven') ? put : finish
  })
  await until(engine, taskId, ({ waitingFor }) => waitingFor?.kind === 'question')
  const again = await kill()
  await again.call('task.resumeInterrupted', { taskId })
  const { task } = await until(again, taskId, ({ waitingFor }) => waitingFor?.kind === 'question')
  expect(task.waitingFor).toEqual({ kind: 'question', text: 'Which number?' })
  expect(lastOf(server.requests[1])).toContain('restarted before the person answered')
  await again.call('task.answer', { taskId, text: 'Seven' })
  const { steps } = await ended(again, taskId)
  expect(steps.map(({ verdict }) => verdict)).toEqual(['unchecked', 'unchecked', 'pass'])
  expect(server.refused).toEqual([])
})

it('who has taken over: the task goes on without them, and the model hears what of theirs is undone', async () => {
  const { server, engine, taskId, kill } = await open((request, count) => {
    if (count === 0) return asks
    return lastOf(request).includes('tool_result') && count > 1 ? finish : put
  })
  await until(engine, taskId, ({ waitingFor }) => waitingFor !== null && waitingFor !== undefined)
  const { machineId } = await engine.call('task.takeOver', { taskId })
  await engine.call('vm.act', { machineId: machineId ?? '', action: { type: 'key', chord: 'ctrl+s' } })
  await until(engine, taskId, ({ stepCount, hold }) => stepCount === 1 && hold === 'taken_over')
  const again = await kill()
  const { task, steps } = await again.call('task.get', { taskId })
  expect(task).toMatchObject({ state: 'interrupted', hold: null })
  expect(steps).toMatchObject([{ by: 'person', actions: [{ act: { type: 'key' } }] }])
  await again.call('task.resumeInterrupted', { taskId })
  expect(await ended(again, taskId)).toMatchObject({ task: { state: 'succeeded' } })
  const told = lastOf(server.requests[1])
  expect(told).toContain('This is undone')
  expect(told).toContain('ctrl+s')
  expect(server.refused).toEqual([])
})
