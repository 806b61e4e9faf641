import type { Duplex } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AnthropicServer, computer, tool } from '../../agent/wire/anthropic-server.ts'
import type { Input } from '../../contract/rpc.ts'
import type { Task } from '../../contract/task.ts'
import type { Engine } from '../../engine.ts'
import { FakeSandbox } from '../../sandbox/fake/machine.ts'
import { openTestEngine } from '../testing.ts'
import { HearingScreen, rfb, type } from './testing.ts'

/** A real engine on painted machines whose live view remembers what reaches it. */

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  for (const undo of cleanUp.splice(0).reverse()) await undo()
})

async function open() {
  const { engine, close } = await openTestEngine()
  cleanUp.push(close)
  const screens: HearingScreen[] = []
  vi.spyOn(FakeSandbox.prototype, 'openVnc').mockImplementation(async () => {
    const screen = new HearingScreen()
    screens.push(screen)
    return screen
  })
  const get = async (taskId: string) => engine.call('task.get', { taskId })
  const until = (taskId: string, fits: (task: Task) => boolean) =>
    vi.waitFor(
      async () => {
        const { task } = await get(taskId)
        expect(fits(task)).toBe(true)
        return task
      },
      { timeout: 20_000 },
    )
  /** A client that looks at a machine, and what of it arrives there. */
  const look = async (machineId: string | null) => {
    const view: Duplex = await engine.openVnc(machineId ?? '')
    view.write(rfb.greeting)
    const screen = screens.at(-1)
    const arrived = () => (screen?.bytes ?? '').slice(rfb.greeting.length * 2)
    const send = async (...messages: Buffer[]) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      view.write(Buffer.concat([...messages, rfb.update]), () => resolve())
      await promise
    }
    return { send, arrived, view }
  }
  return { engine, get, until, look }
}

/** A model that thinks until it is told to go on. */
async function thinkingModel() {
  const asked = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const server = await AnthropicServer.start(async (_request, count) => {
    if (count === 0) {
      asked.resolve()
      await go.promise
      return { content: [computer('key', { text: 'ctrl+x' })] }
    }
    return { content: [tool('give_up', { reason: 'Enough.' })] }
  })
  cleanUp.push(() => server.close())
  vi.stubEnv('ANTHROPIC_API_KEY', server.apiKey)
  vi.stubEnv('ANTHROPIC_BASE_URL', server.url)
  return { server, asked: asked.promise, go: () => go.resolve() }
}

/** What was done last is looked at first, which takes its time. */
const declare = (engine: Engine, wish: Input<'task.declare'>) =>
  vi.waitFor(() => engine.call('task.declare', wish), { timeout: 20_000, interval: 200 })
const hex = (...parts: Buffer[]) => Buffer.concat(parts).toString('hex')

describe('a live view', () => {
  it('of a machine that a task drives only looks, until it is taken over, and again when it is handed back', async () => {
    const model = await thinkingModel()
    const { engine, until, look, get } = await open()
    const { id: taskId } = await engine.call('task.run', { goal: 'Think', planner: { kind: 'anthropic' } })
    await model.asked
    const { machineId } = await until(taskId, (task) => task.machineId !== null)
    const { send, arrived } = await look(machineId)
    await send(...type('no'), rfb.pointer(1, 5, 5), rfb.powerOff)
    expect(arrived()).toBe(hex(rfb.update))
    await expect(
      engine.call('vm.act', { machineId: machineId ?? '', action: { type: 'key', chord: 'a' } }),
    ).rejects.toMatchObject({ code: 'conflict', hint: expect.stringContaining('take-over') })

    await engine.call('task.takeOver', { taskId })
    await send(...type('yes\n'), rfb.pointer(1, 40, 50), rfb.pointer(0, 40, 50))
    expect(arrived()).toContain(hex(...type('yes\n')))
    const held = rfb.key(0xffe3, true)
    await send(held)
    model.go()
    await engine.call('task.handBack', { taskId })
    expect(arrived().endsWith(hex(rfb.update, rfb.key(0xffe3, false)))).toBe(true)
    const before = arrived()
    await send(...type('no'))
    expect(arrived()).toBe(before + hex(rfb.update))

    await until(taskId, (task) => task.endedAt !== null)
    const { steps } = await get(taskId)
    const byHand = steps.filter(({ by }) => by === 'person')
    expect(byHand.map(({ actions }) => actions.map(({ act }) => act))).toMatchObject([
      [{ type: 'type', text: 'yes\n' }],
      [{ type: 'click', at: { x: 40, y: 50 }, button: 'left', count: 1 }],
      [],
    ])
    expect(byHand.every(({ before: from, after: to }) => from !== null && to !== null)).toBe(true)
    expect(byHand[2]?.thought).toContain('Handed back.')
    const told = JSON.stringify(model.server.requests[1]?.messages.at(-1))
    expect(told).toContain('They did: Type “yes”; Click at 40, 50.')
    expect(steps.map(({ index }) => index)).toEqual(steps.map((_, index) => index))
    // What the model had decided before it was taken over was not done any more.
    expect(steps.flatMap(({ actions }) => actions).find(({ act }) => act.type === 'key')).toMatchObject({
      result: { ok: false },
    })
  })

  it('of a machine that no task drives lets hands through, and records nothing', async () => {
    const { engine, look } = await open()
    const { id } = await engine.call('vm.create', {})
    const { send, arrived } = await look(id)
    await send(...type('free'))
    expect(arrived()).toBe(hex(...type('free'), rfb.update))
    expect(await engine.call('task.list', {})).toEqual([])
  })
})

describe('a task done by hand', () => {
  const human = { kind: 'human' } as const

  it('is recorded as it is done, and ends with checks that hold', async () => {
    const { engine, until, look, get } = await open()
    const { id: taskId } = await engine.call('task.run', { goal: 'Do it myself', planner: human })
    const { machineId, hold, planner } = await until(taskId, (task) => task.hold === 'taken_over')
    expect({ hold, planner }).toEqual({ hold: 'taken_over', planner: 'human' })
    const { send } = await look(machineId)
    await send(...type('hello\n'))
    await engine.call('vm.act', { machineId: machineId ?? '', action: { type: 'key', chord: 'ctrl+s' } })

    const there = { check: 'file_content' as const, path: '/home/user/a.txt', text: 'a' }
    await engine.call('task.declare', { taskId, summary: 'It is there.', checks: [there], timeoutSeconds: 0.1 })
    await until(taskId, (task) => task.stepCount === 3)
    expect((await get(taskId)).steps[2]).toMatchObject({ verdict: 'fail', thought: expect.stringContaining('says') })
    expect((await get(taskId)).task).toMatchObject({ state: 'running', hold: 'taken_over' })

    const gone = [{ check: 'not' as const, of: there }]
    await declare(engine, { taskId, summary: 'It is gone.', checks: gone })
    const task = await until(taskId, ({ endedAt }) => endedAt !== null)
    expect(task).toMatchObject({ state: 'succeeded', verdict: 'It is gone.', checks: [{ verdict: { pass: true } }] })
    const { steps } = await get(taskId)
    expect(steps.map(({ by }) => by ?? 'loop')).toEqual(['person', 'person', 'loop', 'loop'])
    expect(steps.flatMap(({ actions }) => actions.map(({ act }) => act))).toMatchObject([
      { type: 'type', text: 'hello\n' },
      { type: 'key', chord: 'ctrl+s' },
    ])
  })

  it('ends by word alone, for good or bad', async () => {
    const { engine, until } = await open()
    for (const [success, state] of [
      [true, 'succeeded'],
      [false, 'failed'],
    ] as const) {
      const { id: taskId } = await engine.call('task.run', { goal: 'Look around', planner: human })
      await until(taskId, (task) => task.hold === 'taken_over')
      await declare(engine, { taskId, success, summary: 'I have seen it.' })
      const task = await until(taskId, ({ endedAt }) => endedAt !== null)
      expect(task).toMatchObject({ state, verdict: 'I have seen it.', checks: [] })
    }
  })

  it('is stopped like any other, with what was under way in the trace', async () => {
    const { engine, until, look, get } = await open()
    const { id: taskId } = await engine.call('task.run', { goal: 'Do it myself', planner: human })
    const { machineId } = await until(taskId, (task) => task.hold === 'taken_over')
    const { send } = await look(machineId)
    await send(...type('half a wo'))
    expect(await engine.call('task.stop', { taskId })).toMatchObject({ state: 'stopped' })
    await vi.waitFor(async () =>
      expect((await get(taskId)).steps.flatMap(({ actions }) => actions.map(({ act }) => act))).toEqual([
        { type: 'type', text: 'half a wo' },
      ]),
    )
  })

  it('cannot be declared of another’s work', async () => {
    const model = await thinkingModel()
    const { engine } = await open()
    const { id: taskId } = await engine.call('task.run', { goal: 'Think', planner: { kind: 'anthropic' } })
    await model.asked
    await expect(engine.call('task.declare', { taskId, summary: 'Done.' })).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe('secrets that are typed by hand', () => {
  const VALUE = 'correct-horse-battery'

  it('are in the trace by name, in one go, with a slip, and with something else between', async () => {
    const { engine, until, look, get } = await open()
    await engine.call('secret.set', { name: 'phrase', value: VALUE })
    const { id: taskId } = await engine.call('task.run', { goal: 'Log in', planner: { kind: 'human' } })
    const { machineId } = await until(taskId, (task) => task.hold === 'taken_over')
    const { send } = await look(machineId)
    const backspace = [rfb.key(0xff08, true), rfb.key(0xff08, false)]
    await send(...type(`${VALUE}\n`))
    await send(...type('correct-hors'), ...type('x'), ...backspace, ...type('e-battery\n'))
    await send(...type('correct-ho'), rfb.pointer(1, 9, 9), rfb.pointer(0, 9, 9), ...type('rse-battery\n'))
    await declare(engine, { taskId, summary: 'In.' })
    await until(taskId, ({ endedAt }) => endedAt !== null)
    const { steps } = await get(taskId)
    const typed = steps.flatMap(({ actions }) => actions.flatMap(({ act }) => (act.type === 'type' ? act.text : [])))
    expect(typed).toEqual(['{{phrase}}\n', '{{phrase}}\n', '[a part of {{phrase}}]', '{{phrase}}\n'])
    expect(JSON.stringify(steps)).not.toMatch(/horse|battery/)
  })
})
