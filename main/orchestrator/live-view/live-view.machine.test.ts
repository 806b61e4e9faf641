import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { AnthropicServer, tool } from '../../agent/wire/anthropic-server.ts'
import type { Step, Task } from '../../contract/task.ts'
import type { Engine } from '../../engine.ts'
import { openLog } from '../../log.ts'
import { openTestDriver, type TestDriver } from '../../sandbox/qemu/testing.ts'
import { openEngine } from '../engine.ts'
import { rfb, type } from './testing.ts'

/** A person at the live view of a real machine, as their VNC client speaks to it. */

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
afterEach(() => vi.unstubAllEnvs())

const FILE = '/home/user/by-hand.txt'
const TERMINAL = { x: 22, y: 780 } // its button on the panel

async function look(machineId: string) {
  const view = await engine.openVnc(machineId)
  view.on('data', () => {}) // pictures are of no use here
  view.write(rfb.greeting)
  view.write(rfb.encodings) // QEMU takes the pointer as absolute from then on
  const send = async (...messages: Buffer[]) => {
    for (const message of messages) {
      await new Promise<void>((resolve) => view.write(message, () => resolve()))
      await sleep(15) // as fast as a quick typist: the guest's keyboard drops what comes at once
    }
  }
  return { send, close: () => view.destroy() }
}

async function until(taskId: string, fits: (task: Task, steps: Step[]) => boolean) {
  return await vi.waitFor(
    async () => {
      const { task, steps } = await engine.call('task.get', { taskId })
      expect(fits(task, steps)).toBe(true)
      return { task, steps }
    },
    { timeout: 60_000, interval: 100 },
  )
}

const read = async (machineId: string, file: string) =>
  (await engine.call('vm.exec', { machineId, command: `cat ${file} 2>/dev/null || true` })).stdout
const has = async (machineId: string, file: string, text: string) =>
  vi.waitFor(async () => expect(await read(machineId, file)).toBe(text), { timeout: 60_000, interval: 200 })
const isOpen = (machineId: string, title: string) =>
  engine.call('vm.check', { machineId, assertion: { check: 'window_active', title }, timeoutSeconds: 60 })

it('who only looks changes nothing; who has taken over is recorded, and the model hears what has changed', async () => {
  const asked = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const server = await AnthropicServer.start(async (_request, count) => {
    if (count === 0) {
      asked.resolve()
      await go.promise
      return { content: [tool('bash', { command: 'echo too late > /home/user/late.txt' })] }
    }
    const checks = [{ check: 'file_content', path: FILE, text: 'written by a person' }]
    return { content: [tool('finish', { summary: 'They did it.', checks, timeout_seconds: 20 })] }
  })
  vi.stubEnv('ANTHROPIC_API_KEY', server.apiKey)
  vi.stubEnv('ANTHROPIC_BASE_URL', server.url)
  const wish = { goal: 'Write a file', planner: { kind: 'anthropic' as const }, keepMachine: true }
  const { id: taskId } = await engine.call('task.run', wish)
  await asked.promise
  const machineId = (await until(taskId, (task) => task.machineId !== null)).task.machineId ?? ''
  const { send, close } = await look(machineId)

  const openTerminal = [
    rfb.pointer(0, 300, 300),
    rfb.pointer(1, TERMINAL.x, TERMINAL.y),
    rfb.pointer(0, TERMINAL.x, TERMINAL.y),
  ]
  await send(...openTerminal, rfb.qemuKey(0x61, true), rfb.qemuKey(0x61, false))
  const noTerminal = { check: 'not' as const, of: { check: 'window_open' as const, title: 'Terminal' } }
  expect(await engine.call('vm.check', { machineId, assertion: noTerminal, timeoutSeconds: 2 })).toMatchObject({
    pass: true,
  })

  await engine.call('task.takeOver', { taskId })
  await send(...openTerminal)
  expect(await isOpen(machineId, 'Terminal')).toMatchObject({ pass: true })
  await send(...type(`echo written by a person > ${FILE}\n`))
  await has(machineId, FILE, 'written by a person\n')
  go.resolve()
  await engine.call('task.handBack', { taskId })
  await send(...type('rm by-hand.txt\n')) // nobody is at the keyboard any more
  const { task, steps } = await until(taskId, ({ endedAt }) => endedAt !== null)
  expect(task).toMatchObject({ state: 'succeeded', verdict: 'They did it.' })
  expect(await read(machineId, FILE)).toBe('written by a person\n')
  expect(await read(machineId, '/home/user/late.txt')).toBe('')

  const byHand = steps.filter(({ by }) => by === 'person')
  expect(byHand.flatMap(({ actions }) => actions.map(({ act }) => act))).toMatchObject([
    { type: 'click', at: TERMINAL, button: 'left', count: 1 },
    { type: 'type', text: `echo written by a person > ${FILE}\n` },
  ])
  for (const step of byHand.slice(1)) expect(step.before).not.toBe(step.after)
  expect(byHand.at(-1)?.thought).toContain(FILE)
  const told = JSON.stringify(server.requests[1]?.messages.at(-1))
  expect(told).toContain('What changed meanwhile')
  expect(told).toContain(`Added the file ${FILE}`)
  expect(server.refused).toEqual([])
  close()
  await engine.call('vm.destroy', { machineId })
  await server.close()
})

it('a task done by hand ends with a check that holds, and what was recorded does the same again', async () => {
  const { id: taskId } = await engine.call('task.run', { goal: 'Leave a note', planner: { kind: 'human' } })
  const { task } = await until(taskId, ({ hold }) => hold === 'taken_over')
  const machineId = task.machineId ?? ''
  const { send, close } = await look(machineId)
  await send(rfb.key(0xffe3, true), rfb.key(0xffe9, true), rfb.key(0x74, true), rfb.key(0x74, false))
  await send(rfb.key(0xffe9, false), rfb.key(0xffe3, false))
  expect(await isOpen(machineId, 'Terminal')).toMatchObject({ pass: true })
  await send(...type('echo noot'), rfb.key(0xff08, true), rfb.key(0xff08, false))
  await send(rfb.key(0xff08, true), rfb.key(0xff08, false), ...type('te > note.txt\n'))
  await has(machineId, '/home/user/note.txt', 'note\n')
  close()
  const checks = [{ check: 'file_content' as const, path: '/home/user/note.txt', text: 'note' }]
  await engine.call('task.declare', { taskId, summary: 'The note is there.', checks })
  const ended = await until(taskId, ({ endedAt }) => endedAt !== null)
  expect(ended.task).toMatchObject({ state: 'succeeded', checks: [{ verdict: { pass: true } }] })
  const acts = ended.steps.flatMap(({ actions }) => actions.map(({ act }) => act))
  expect(acts).toMatchObject([
    { type: 'key', chord: 'ctrl+alt+t' },
    { type: 'type', text: 'echo note > note.txt\n' },
  ])

  const open = [{ check: 'window_active' as const, title: 'Terminal' }]
  const steps = acts.map((act, index) => ({ say: 'again', do: [act], expect: index === 0 ? open : [] }))
  const script = { goal: 'The same', steps, finish: checks }
  const again = await engine.call('task.run', { goal: 'The same', planner: { kind: 'script', script } })
  expect((await until(again.id, ({ endedAt }) => endedAt !== null)).task).toMatchObject({ state: 'succeeded' })
})
