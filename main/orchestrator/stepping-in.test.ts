import { afterEach, expect, it, vi } from 'vitest'
import { type Answer, AnthropicServer, computer, tool } from '../agent/wire/anthropic-server.ts'
import type { EngineEvent } from '../contract/rpc.ts'
import type { RunTaskInput, Task } from '../contract/task.ts'
import { openLog } from '../log.ts'
import { FakeDriver } from '../sandbox/fake/driver.ts'
import { openEngine } from './engine.ts'
import { openTestEngine } from './testing.ts'

/** A real engine and a real client of a model service, on a painted machine: how a person steps in. */

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const undo of cleanUp.splice(0).reverse()) await undo()
})

const PATH = '/home/user/a.txt'
const write = (text: string) => ({
  content: [tool('str_replace_based_edit_tool', { command: 'create', path: PATH, file_text: text })],
})
const finish = (text: string) => ({
  content: [
    tool('finish', {
      summary: 'Done.',
      checks: [{ check: 'file_content', path: PATH, text }],
      timeout_seconds: 0.2,
    }),
  ],
})
const risky = { content: [tool('bash', { command: 'rm -rf /home/user/old' })] }
const ok = () => ({ exitCode: 0, stdout: 'ran', stderr: '', truncated: false })

async function open(answers: Parameters<typeof AnthropicServer.start>[0]) {
  const server = await AnthropicServer.start(answers)
  cleanUp.push(() => server.close())
  vi.stubEnv('ANTHROPIC_API_KEY', server.apiKey)
  vi.stubEnv('ANTHROPIC_BASE_URL', server.url)
  const { engine, paths, close } = await openTestEngine(ok)
  cleanUp.push(close)
  const events: EngineEvent[] = []
  const waiting = new Set<() => void>()
  const onEvent = (event: EngineEvent) => {
    events.push(event)
    for (const look of waiting) look()
  }
  engine.onEvent(onEvent)
  /** The first state of the task, from now on, that fits. */
  const until = (fits: (task: Task) => boolean) =>
    new Promise<Task>((resolve) => {
      const look = () => {
        const event = events.findLast(({ type }) => type === 'task')
        if (event?.type !== 'task' || !fits(event.task)) return
        waiting.delete(look)
        resolve(event.task)
      }
      waiting.add(look)
      look()
    })
  const run = (more: Partial<RunTaskInput> = {}) =>
    engine.call('task.run', { goal: 'Write a file', planner: { kind: 'anthropic' }, ...more })
  const ended = () => until((task) => task.endedAt !== null)
  return { server, engine, paths, run, until, ended, onEvent }
}

it('what is risky waits for leave, with the screen it is meant for, and is done when it is given', async () => {
  const { engine, run, until, ended, server } = await open([risky, write('x'), finish('x')])
  const { id: taskId } = await run()
  const asking = await until((task) => Boolean(task.waitingFor))
  expect(asking.waitingFor).toMatchObject({
    kind: 'approval',
    acts: [{ type: 'exec', command: 'rm -rf /home/user/old' }],
    risks: [{ index: 0, why: 'It deletes files for good.' }],
  })
  const frame = asking.waitingFor?.kind === 'approval' ? asking.waitingFor.frame : null
  expect(await engine.framePng(frame ?? '')).not.toBeNull()
  expect((await engine.call('task.list', {}))[0]?.waitingFor).toEqual(asking.waitingFor)
  await expect(engine.call('task.answer', { taskId, text: 'yes' })).rejects.toMatchObject({ code: 'conflict' })
  await engine.call('task.approve', { taskId, answer: 'allow' })
  expect(await ended()).toMatchObject({ state: 'succeeded', waitingFor: null })
  expect(JSON.stringify(server.requests[1]?.messages)).toContain('ran')
})

it('what is not allowed is not done, and the model hears of it', async () => {
  const { engine, run, until, ended, server } = await open([risky, write('x'), finish('x')])
  const { id: taskId } = await run()
  await until((task) => Boolean(task.waitingFor))
  await engine.call('task.approve', { taskId, answer: 'deny' })
  expect(await ended()).toMatchObject({ state: 'succeeded' })
  const { steps } = await engine.call('task.get', { taskId })
  expect(steps[0]).toMatchObject({ verdict: 'fail', settle: null, actions: [{ result: { ok: false } }] })
  expect(JSON.stringify(server.requests[1]?.messages)).toContain('The person did not allow this.')
})

it('a day has a budget over all tasks, which a new engine still knows', async () => {
  const { engine, paths, run, ended } = await open([write('x'), finish('x'), write('x'), finish('x')])
  expect((await engine.call('budget.day.get', {})).limits).toEqual({})
  await run()
  expect(await ended()).toMatchObject({ state: 'succeeded' })
  const { spent } = await engine.call('budget.day.get', {})
  expect(spent).toMatchObject({ steps: 2, usage: { inputTokens: 2000, outputTokens: 100 } })
  const usd = spent.usage.usd ?? 0
  expect(usd).toBeGreaterThan(0)
  await engine.call('budget.day.set', { maxUsd: usd })
  await engine.close()

  const again = await openEngine({ paths, log: openLog(paths), driver: new FakeDriver(ok) })
  cleanUp.push(() => again.close())
  expect(await again.call('budget.day.get', {})).toEqual({ limits: { maxUsd: usd }, spent })
  const second = await again.call('task.run', { goal: 'Write a file', planner: { kind: 'anthropic' } })
  await expect
    .poll(async () => (await again.call('task.get', { taskId: second.id })).task)
    .toMatchObject({ state: 'failed', stepCount: 0, verdict: `The budget of today, $${usd}, is spent.` })
})

it('nobody is asked when the task says so', async () => {
  const { run, ended } = await open([risky, write('x'), finish('x')])
  await run({ approval: 'never' })
  expect(await ended()).toMatchObject({ state: 'succeeded' })
})

it('stops within a second while it waits for the person', async () => {
  const { engine, run, until } = await open([risky])
  const { id: taskId } = await run()
  await until((task) => Boolean(task.waitingFor))
  const began = performance.now()
  expect(await engine.call('task.stop', { taskId })).toMatchObject({ state: 'stopped', waitingFor: null })
  expect(performance.now() - began).toBeLessThan(1000)
  await expect(engine.call('task.pause', { taskId })).rejects.toMatchObject({ code: 'conflict' })
})

it.each<[string, Answer | null, string, string]>([
  ['a long answer of the model', null, 'thinking', 'Thinking'],
  ['a long wait', { content: [computer('wait', { duration: 60 })] }, 'acting', 'Wait'],
  [
    'a long look for what does not come',
    { content: [tool('wait_for', { assertion: { check: 'file_exists', path: '/never' }, timeout_seconds: 300 })] },
    'verifying',
    '',
  ],
])('stops within a second during %s', async (_what, answer, phase, words) => {
  const { engine, run } = await open(async () => answer ?? new Promise(() => {}))
  const there = Promise.withResolvers<void>()
  engine.onEvent((event) => {
    if (event.type === 'activity' && event.phase === phase && event.text.startsWith(words)) there.resolve()
  })
  const { id: taskId } = await run()
  await there.promise
  const began = performance.now()
  expect(await engine.call('task.stop', { taskId })).toMatchObject({ state: 'stopped' })
  expect(performance.now() - began).toBeLessThan(1000)
})

it('a question reaches the person and the answer the model; both are in the trace, with what it cost', async () => {
  const { engine, run, until, ended, server } = await open([
    { content: [tool('ask_person', { question: 'Which colour?' })] },
    write('blue'),
    finish('blue'),
  ])
  const { id: taskId } = await run()
  const asking = await until((task) => Boolean(task.waitingFor))
  expect(asking.waitingFor).toEqual({ kind: 'question', text: 'Which colour?' })
  await engine.call('task.answer', { taskId, text: 'Blue, please' })
  expect(await ended()).toMatchObject({ state: 'succeeded' })
  expect(JSON.stringify(server.requests[1]?.messages)).toContain('Blue, please')
  const { steps } = await engine.call('task.get', { taskId })
  expect(steps[0]?.dialogue).toEqual({ question: 'Which colour?', answer: 'Blue, please' })
  expect(steps[0]?.usage).toMatchObject({ inputTokens: 1000, outputTokens: 50 })
})

it('while paused nothing is done or asked of the model, and what is typed meanwhile reaches the next turn', async () => {
  const deciding = Promise.withResolvers<void>()
  const paused = Promise.withResolvers<void>()
  const { engine, run, ended, server } = await open(async (_request, count) => {
    if (count === 0) {
      deciding.resolve()
      await paused.promise
    }
    return [write('x'), finish('x')][count] ?? finish('x')
  })
  const { id: taskId } = await run()
  await deciding.promise
  expect(await engine.call('task.pause', { taskId })).toMatchObject({ hold: 'paused' })
  const waits = Promise.withResolvers<void>()
  engine.onEvent((event) => {
    if (event.type === 'activity' && event.text.startsWith('Paused before: ')) waits.resolve()
  })
  paused.resolve()
  await waits.promise // the answer has come, and what it wants is not done
  await expect(engine.call('task.get', { taskId })).resolves.toMatchObject({ steps: [] })
  await engine.call('task.guide', { taskId, text: 'Mind the gap' })
  expect(server.requests.length).toBe(1)
  expect(await engine.call('task.resume', { taskId })).toMatchObject({ hold: null })
  expect(await ended()).toMatchObject({ state: 'succeeded' })
  expect(JSON.stringify(server.requests[1]?.messages.at(-1))).toContain('Mind the gap')
})

it('what a person does after taking over is in the trace, and the model hears of it when they hand back', async () => {
  const deciding = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const { engine, run, until, ended, server } = await open(async (_request, count) => {
    if (count > 0) return count === 1 ? write('x') : finish('x')
    deciding.resolve()
    await taken.promise
    return write('too late')
  })
  const { id: taskId } = await run()
  await deciding.promise
  await engine.call('task.takeOver', { taskId })
  taken.resolve()
  const { machineId } = await until((task) => task.stepCount === 1)
  await engine.call('vm.act', { machineId: machineId ?? '', action: { type: 'key', chord: 'ctrl+k' } })
  expect(await engine.call('task.handBack', { taskId, text: 'The rest is yours' })).toMatchObject({ hold: null })
  expect(await ended()).toMatchObject({ state: 'succeeded', stepCount: 5 })
  const { steps } = await engine.call('task.get', { taskId })
  expect(steps[0]?.actions).toMatchObject([{ result: { error: { message: expect.stringContaining('took over') } } }])
  expect(steps[1]).toMatchObject({
    thought: 'By hand',
    by: 'person',
    actions: [{ act: { type: 'key', chord: 'ctrl+k' } }],
  })
  expect(steps[1]?.before).not.toBe(steps[1]?.after)
  expect(steps[2]).toMatchObject({ by: 'person', thought: expect.stringContaining('Handed back.') })
  expect(JSON.stringify(server.requests[1]?.messages.at(-1))).toContain('The person took over')
  expect(JSON.stringify(server.requests[1]?.messages.at(-1))).toContain('ctrl+k')
  expect(JSON.stringify(server.requests[1]?.messages.at(-1))).toContain('The rest is yours')
})

it('who takes over while leave is asked for does not give it', async () => {
  const { engine, run, until, ended, server } = await open([risky, write('x'), finish('x')])
  const { id: taskId } = await run()
  await until((task) => Boolean(task.waitingFor))
  await engine.call('task.takeOver', { taskId })
  expect(await until((task) => task.stepCount === 1)).toMatchObject({ hold: 'taken_over', waitingFor: null })
  expect((await engine.call('task.get', { taskId })).steps[0]?.actions).toMatchObject([{ result: { ok: false } }])
  expect(server.requests.length).toBe(1)
  await engine.call('task.resume', { taskId }) // as good as handing back
  expect(await ended()).toMatchObject({ state: 'succeeded', hold: null })
})

it('a budget of tokens ends the task', async () => {
  const { run, ended } = await open((_request, count) => write(`${count}`))
  await run({ budget: { maxTokens: 2000 } })
  expect(await ended()).toMatchObject({
    state: 'failed',
    stepCount: 2,
    verdict: 'The budget of this task, 2,000 tokens, is spent.',
  })
})

it('a task that was closed right after a checkpoint goes on exactly where it was', async () => {
  const thinking = Promise.withResolvers<void>()
  const keys = ['a', 'b', 'c', 'd', 'e']
  const { engine, paths, run, server, onEvent, ended } = await open((_request, count) => {
    const key = keys[count]
    if (key !== undefined) return { content: [computer('key', { text: `ctrl+${key}` })] }
    if (count === 5) thinking.resolve()
    return count === 5 ? { ...write('x'), hangAfter: 1 } : count === 6 ? write('x') : finish('x')
  })
  const { id: taskId } = await run({ budget: { maxSteps: 7 } })
  await thinking.promise
  await engine.close()

  const again = await openEngine({ paths, log: openLog(paths), driver: new FakeDriver(ok) })
  cleanUp.push(() => again.close())
  expect((await again.call('task.get', { taskId })).task).toMatchObject({ state: 'interrupted', stepCount: 5 })
  again.onEvent(onEvent)
  const restarted = await again.call('task.resumeInterrupted', { taskId })
  onEvent({ type: 'task', task: restarted })
  expect(await ended()).toMatchObject({ state: 'succeeded', stepCount: 7 }) // steps of both engines count
  expect(server.refused).toEqual([])
  expect(server.requests[6]?.messages).toEqual(server.requests[5]?.messages)
})

it('a script that was interrupted before anything was kept begins again, in the same trace', async () => {
  const { engine, paths, onEvent, ended, until } = await open([])
  const type = (text: string) => ({ say: text, do: [{ type: 'write_file' as const, path: PATH, text }] })
  const script = {
    goal: 'Write',
    steps: [type('one'), { say: 'wait', do: [{ type: 'wait' as const, seconds: 300 }] }],
    finish: [{ check: 'file_exists' as const, path: PATH }],
  }
  const { id: taskId } = await engine.call('task.run', { goal: 'Write', planner: { kind: 'script', script } })
  await until((task) => task.stepCount === 1)
  await engine.close()

  const again = await openEngine({ paths, log: openLog(paths), driver: new FakeDriver(ok) })
  cleanUp.push(() => again.close())
  again.onEvent(onEvent)
  onEvent({ type: 'task', task: await again.call('task.resumeInterrupted', { taskId }) })
  await until((task) => task.stepCount === 2)
  const { steps } = await again.call('task.get', { taskId })
  expect(steps.map(({ thought }) => thought)).toEqual(['one', 'one'])
  await again.call('task.stop', { taskId })
  expect(await ended()).toMatchObject({ state: 'stopped' })
})

it('a script that was interrupted goes on midway, from the newest machine that was kept', async () => {
  const { engine, paths, onEvent, ended, until } = await open([])
  const key = (name: string) => ({ say: name, do: [{ type: 'key' as const, chord: `ctrl+${name}` }] })
  const script = {
    goal: 'Press',
    steps: [...[...'abcdef'].map(key), { say: 'wait', do: [{ type: 'wait' as const, seconds: 300 }] }],
    finish: [{ check: 'screen_changed' as const }],
  }
  const { id: taskId } = await engine.call('task.run', { goal: 'Press', planner: { kind: 'script', script } })
  await until((task) => task.stepCount === 6)
  await engine.close()

  const again = await openEngine({ paths, log: openLog(paths), driver: new FakeDriver(ok) })
  cleanUp.push(() => again.close())
  again.onEvent(onEvent)
  onEvent({ type: 'task', task: await again.call('task.resumeInterrupted', { taskId }) })
  await until((task) => task.stepCount === 7)
  const { steps } = await again.call('task.get', { taskId })
  expect(steps.map(({ thought }) => thought)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'f'])
  expect(steps[6]?.snapshotBefore).toBe(steps[4]?.snapshotAfter)
  expect(steps[6]?.before).toBe(steps[4]?.after) // the machine as it was after the fifth
  await again.call('task.stop', { taskId })
  expect(await ended()).toMatchObject({ state: 'stopped' })
})
