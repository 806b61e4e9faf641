import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EDITOR_BUTTON, TERMINAL_BUTTON } from '../agent/examples/panel.ts'
import type { RunTaskInput, ScriptInput, Task } from '../contract/task.ts'
import type { Engine } from '../engine.ts'
import { openLog } from '../log.ts'
import { openTestDriver, type TestDriver } from '../sandbox/qemu/testing.ts'
import { verifyBundle } from '../trace/bundle/verify-bundle.ts'
import { openEngine } from './engine.ts'

type House = { engine: Engine; driver: TestDriver }

/** A home of its own on the image and template that all share. */
async function openHouse(): Promise<House> {
  const driver = await openTestDriver()
  await driver.driver.prepare('desktop', () => {})
  const engine = await openEngine({ paths: driver.paths, log: openLog(driver.paths), driver: driver.driver })
  return { engine, driver }
}

let here: House
let there: House
beforeAll(async () => {
  here = await openHouse()
  there = await openHouse()
})
afterAll(async () => {
  for (const house of [here, there]) {
    await house.engine.close()
    await house.driver.close()
  }
})

async function ended({ engine }: House, begin: () => Promise<Task>): Promise<Task> {
  const tasks = new Map<string, Task>()
  const over = Promise.withResolvers<void>()
  let id = ''
  const off = engine.onEvent((event) => {
    if (event.type !== 'task' || !event.task.endedAt) return
    tasks.set(event.task.id, event.task)
    if (event.task.id === id) over.resolve()
  })
  id = (await begin()).id
  if (!tasks.has(id)) await over.promise
  off()
  const task = tasks.get(id)
  if (!task) throw new Error('it has ended')
  return task
}

const run = (house: House, request: RunTaskInput) => ended(house, () => house.engine.call('task.run', request))
const exec = (command: string) => ({ type: 'exec' as const, command })
const ask = async ({ engine }: House, machineId: string, command: string) =>
  (await engine.call('vm.exec', { machineId, command })).stdout.trim()

const byTerminal: ScriptInput = {
  goal: 'Count the words of a list in the terminal',
  steps: [
    {
      say: 'A terminal.',
      do: [{ type: 'click', at: TERMINAL_BUTTON }],
      expect: [{ check: 'window_active', title: 'Terminal' }],
    },
    {
      say: 'The list, and its count.',
      do: [{ type: 'type', text: 'printf "pears\\napples\\nplums\\n" | tee list | wc -l > count\n' }],
      expect: [{ check: 'file_content', path: '/home/user/count', text: '3' }],
    },
  ],
  finish: [{ check: 'file_content', path: '/home/user/list', text: 'plums' }],
}

const byEditor: ScriptInput = {
  goal: 'Write a note in the editor',
  steps: [
    {
      say: 'The editor.',
      do: [{ type: 'click', at: EDITOR_BUTTON }],
      expect: [{ check: 'window_active', title: 'Untitled' }],
    },
    { say: 'Some words.', do: [{ type: 'type', text: 'Buy milk and honey.' }], expect: [{ check: 'screen_changed' }] },
    {
      say: 'Save it.',
      do: [{ type: 'key', chord: 'ctrl+s' }],
      expect: [{ check: 'window_active', title: 'Save As' }],
    },
    {
      say: 'As note.txt.',
      do: [
        { type: 'key', chord: 'ctrl+a' },
        { type: 'type', text: 'note.txt' },
      ],
      expect: [{ check: 'screen_changed' }],
    },
    // Apart from its name: the dialog takes no Return while it still looks for files of that name.
    {
      say: 'There.',
      do: [{ type: 'key', chord: 'Return' }],
      expect: [{ check: 'file_content', path: '/home/user/note.txt', text: 'milk and honey' }],
    },
  ],
  finish: [{ check: 'file_content', path: '/home/user/note.txt', text: 'milk and honey' }],
}

const byCommands: ScriptInput = {
  goal: 'Sort a box of letters into folders',
  steps: [
    { say: 'A box of letters.', do: [exec('mkdir -p box && cd box && touch a1 a2 b1')] },
    {
      say: 'Sorted.',
      do: [exec('cd box && mkdir -p a b && mv a? a/ && mv b? b/')],
      expect: [{ check: 'command', argv: ['ls', '/home/user/box/a'], output: { text: 'a2' } }],
    },
  ],
  finish: [{ check: 'file_exists', path: '/home/user/box/b/b1' }],
}

test.each([byTerminal, byEditor, byCommands])(
  '“$goal”, exported, verified and imported on another home, replays there to the same verdict',
  async (script) => {
    const first = await run(here, { goal: script.goal, planner: { kind: 'script', script } })
    expect(first.state, first.verdict ?? '').toBe('succeeded')
    const file = path.join(here.driver.paths.home, `${first.id}.ghtrace`)
    await here.engine.call('trace.export', { taskId: first.id, file })
    expect(await verifyBundle(file)).toMatchObject({ ok: true, steps: first.stepCount })
    const { id } = await there.engine.call('trace.import', { file })
    const again = await run(there, { goal: script.goal, planner: { kind: 'replay', taskId: id } })
    expect(again.state, again.verdict ?? '').toBe('succeeded')
    expect(again.verdict).toBe(first.verdict)
    const { rows } = await there.engine.call('trace.compare', { a: id, b: again.id })
    const outcomes = rows.flatMap(({ replayed }) => replayed?.outcome ?? [])
    expect(outcomes.length).toBe(script.steps.length)
    expect(outcomes).not.toContain('stopped')
  },
)

test('steps boot: those kept at once, others by doing them again, and both in another house the machines came to', async () => {
  const script: ScriptInput = {
    goal: 'Three marks',
    steps: [1, 2, 3].map((n) => ({
      say: `Mark ${n}.`,
      do: [exec(`touch mark${n}`), ...(n === 1 ? [{ type: 'checkpoint' as const, label: 'one' }] : [])],
      expect: [{ check: 'file_exists' as const, path: `/home/user/mark${n}` }],
    })),
    finish: [{ check: 'file_exists', path: '/home/user/mark3' }],
  }
  const { id, verdict, state } = await run(here, { goal: script.goal, planner: { kind: 'script', script } })
  expect(state, verdict ?? '').toBe('succeeded')
  const file = path.join(here.driver.paths.home, 'marks.ghtrace')
  await here.engine.call('trace.export', { taskId: id, file, machines: true })
  expect(await verifyBundle(file)).toMatchObject({ ok: true, machines: 1 })
  await there.engine.call('trace.import', { file })

  for (const house of [here, there]) {
    const kept = await house.engine.call('trace.boot', { taskId: id, step: 0 })
    if (kept.kind !== 'machine') throw new Error('the first step was kept')
    expect(await ask(house, kept.machine.id, 'ls -d mark*')).toBe('mark1')
    await house.engine.call('vm.destroy', { machineId: kept.machine.id })

    const task = await ended(house, async () => {
      const booted = await house.engine.call('trace.boot', { taskId: id, step: 1 })
      if (booted.kind !== 'replaying') throw new Error('the second step was not kept')
      expect(booted).toMatchObject({ steps: 1, fromSnapshot: expect.stringMatching(/^snap_/) })
      return booted.task
    })
    expect(task.state, task.verdict ?? '').toBe('succeeded')
    expect(await ask(house, task.machineId ?? '', 'ls -d mark*')).toBe('mark1\nmark2')
    await house.engine.call('vm.destroy', { machineId: task.machineId ?? '' })
  }
})
