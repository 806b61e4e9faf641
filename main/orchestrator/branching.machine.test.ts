import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { AnthropicServer, tool } from '../agent/wire/anthropic-server.ts'
import type { RunTaskInput, Task } from '../contract/task.ts'
import type { Engine } from '../engine.ts'
import { openLog } from '../log.ts'
import { openTestDriver, type TestDriver } from '../sandbox/qemu/testing.ts'
import { openEngine } from './engine.ts'

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

const exec = (command: string) => ({ type: 'exec' as const, command })
const holds = (path: string, text: string) => ({ check: 'file_content' as const, path, text })
const RESULT = '/home/user/result'

async function run(request: RunTaskInput, onTask: (task: Task) => void = () => {}): Promise<Task> {
  const ended = Promise.withResolvers<Task>()
  const off = engine.onEvent((event) => {
    if (event.type !== 'task') return
    onTask(event.task)
    if (event.task.endedAt) ended.resolve(event.task)
  })
  await engine.call('task.run', { keepMachine: true, ...request })
  return ended.promise.finally(off)
}

async function ask(task: Task, command: string): Promise<string> {
  const { stdout } = await engine.call('vm.exec', { machineId: task.machineId ?? '', command })
  return stdout.trim()
}

it('three ways live at once: the one that lasts wins, and the task goes on from its memory', async () => {
  let most = 0
  const running = new Set<string>()
  const off = engine.onEvent((event) => {
    if (event.type !== 'branch') return
    if (event.branch.state === 'running') running.add(event.branch.id)
    else running.delete(event.branch.id)
    most = Math.max(most, running.size)
  })
  const tidy = { say: 'Tidy up, as one does at the end.', do: [exec('rm -f /tmp/result')] }
  const way = (plan: string, command: string) => ({
    plan,
    steps: [{ say: plan, do: [exec(command)], expect: [holds(RESULT, '42')] }, tidy],
    finishTimeoutSeconds: 1,
  })
  const task = await run({
    goal: 'Keep a result while an unsaved note is open',
    planner: {
      kind: 'script',
      script: {
        goal: 'Keep a result while an unsaved note is open',
        steps: [
          {
            say: 'A note nobody has saved yet.',
            do: [exec('echo precious > ~/precious'), { type: 'click', at: { x: 96, y: 780 } }],
            expect: [{ check: 'window_active', title: 'Untitled' }],
            timeoutSeconds: 60,
          },
          { say: 'Some words.', do: [{ type: 'type', text: 'only in memory' }] },
          {
            say: 'Three ways to put a result there.',
            do: [
              {
                type: 'branch',
                options: [
                  way('a link to a temporary file', `echo 42 > /tmp/result; ln -s /tmp/result ${RESULT}`),
                  way('a file, and the precious one goes', `echo 42 > ${RESULT}; rm ~/precious`),
                  way('a file', `echo 42 > ${RESULT}`),
                ],
                checks: [holds(RESULT, '42')],
              },
            ],
          },
          {
            say: 'The note is still open: save it now.',
            do: [{ type: 'key', chord: 'ctrl+s' }],
            expect: [{ check: 'window_active', title: 'Save As' }],
            timeoutSeconds: 60,
          },
          {
            say: 'Under a name.',
            do: [
              { type: 'key', chord: 'ctrl+a' },
              { type: 'type', text: 'note.txt' },
            ],
            expect: [{ check: 'screen_changed' }],
          },
          {
            say: 'And there it lies.',
            do: [{ type: 'key', chord: 'Return' }],
          },
        ],
        finishTimeoutSeconds: 60,
        finish: [holds('/home/user/note.txt', 'only in memory'), holds(RESULT, '42')],
      },
    },
  })
  off()
  const tree = await engine.call('lineage.get', { taskId: task.id })
  console.info(
    tree.branches
      .map(({ plan, state, won, reasons }) => `${won ? 'won' : 'lost'} ${plan}: ${state}. ${reasons.join(' ')}`)
      .join('\n'),
  )
  expect(task.verdict).toBe('Keep a result while an unsaved note is open')
  expect(task.state).toBe('succeeded')
  expect(most).toBe(3)
  expect(tree.branches.map(({ state, won }) => ({ state, won }))).toEqual([
    { state: 'failed', won: false },
    { state: 'passed', won: false },
    { state: 'passed', won: true },
  ])
  expect(tree.branches[1]?.unwanted).toEqual(['Removed the file /home/user/precious'])
  expect(task.machineId).toBe(tree.branches[2]?.machineId)
  expect(await ask(task, 'cat ~/note.txt ~/precious')).toBe('only in memory\nprecious'.replace('\n', '')) // no line break in the note
  expect((await engine.call('vm.list', {})).map(({ id }) => id)).toEqual([task.machineId])
  await engine.call('vm.destroy', { machineId: task.machineId ?? '' })
}, 240_000)

it('a model branches, its copies share every byte of the conversation, and it goes on from the winner', async () => {
  const server = await AnthropicServer.start((request) => {
    const words = JSON.stringify(request.messages)
    const inside = /You are in branch (\d) of 2/.exec(words)?.[1]
    const verdicts = words.includes('Way 2 won')
    const last = JSON.stringify(request.messages.at(-1))
    if (verdicts) return { content: [tool('finish', { summary: 'Done.', checks: [holds(RESULT, '7')] })] }
    if (inside === undefined)
      return { content: [tool('branch', { plans: ['write 6', 'write 7'], checks: [holds(RESULT, '7')] })] }
    const number = inside === '1' ? '6' : '7'
    if (last.includes('You are in branch'))
      return { content: [tool('bash', { command: `echo ${number} > ${RESULT}` })] }
    return { content: [tool('finish', { summary: `Wrote ${number}.`, checks: [holds(RESULT, number)] })] }
  })
  vi.stubEnv('ANTHROPIC_API_KEY', server.apiKey)
  vi.stubEnv('ANTHROPIC_BASE_URL', server.url)
  const task = await run({ goal: 'Write 7 as the result', planner: { kind: 'anthropic' } })
  expect(server.refused).toEqual([])
  expect(task).toMatchObject({ state: 'succeeded', verdict: 'Done.' })
  const firsts = server.requests.filter(({ messages }) => JSON.stringify(messages.at(-1)).includes('You are in branch'))
  const prefixes = firsts.map(({ messages, system, tools }) => JSON.stringify([system, tools, messages.slice(0, -1)]))
  expect(prefixes).toHaveLength(2)
  expect(prefixes[0]).toBe(prefixes[1])
  const { branches } = await engine.call('lineage.get', { taskId: task.id })
  expect(branches.map(({ won }) => won)).toEqual([false, true])
  expect(await ask(task, `cat ${RESULT}`)).toBe('7')
  await engine.call('vm.destroy', { machineId: task.machineId ?? '' })
  await server.close()
}, 240_000)

it('a destructive command is shown by its effect: declined it leaves no trace, allowed it is not done twice', async () => {
  const script = {
    goal: 'Remove the folder',
    steps: [
      { say: 'A folder.', do: [exec('mkdir ~/keep && echo treasure > ~/keep/it && echo memory > /dev/shm/it')] },
      { say: 'Away with it.', do: [exec('rm -rf ~/keep; echo ran >> ~/count')] },
    ],
    finish: [{ check: 'file_exists' as const, path: '/home/user/keep', exists: false }],
  }
  const request: RunTaskInput = { goal: script.goal, planner: { kind: 'script', script }, approval: 'risky' }
  const answering = (answer: 'deny' | 'allow', changes: string[]) => (task: Task) => {
    if (task.waitingFor?.kind !== 'approval' || changes.length > 0) return
    changes.push(...(task.waitingFor.consequence?.changes ?? ['nothing shown']))
    setImmediate(() => void engine.call('task.approve', { taskId: task.id, answer }))
  }
  const shown: string[] = []
  const denied = await run(request, answering('deny', shown))
  console.info(`shown before deciding: ${shown.join('; ')}`)
  expect(shown.join('; ')).toContain('Removed the file /home/user/keep/it')
  expect(denied.state).toBe('failed')
  expect(await ask(denied, 'cat ~/keep/it /dev/shm/it; ls ~/count 2>/dev/null')).toBe('treasure\nmemory')
  await engine.call('vm.destroy', { machineId: denied.machineId ?? '' })

  const allowed = await run(request, answering('allow', []))
  expect(allowed.state).toBe('succeeded')
  expect(await ask(allowed, 'ls ~/keep 2>/dev/null; cat ~/count /dev/shm/it')).toBe('ran\nmemory')
  await engine.call('vm.destroy', { machineId: allowed.machineId ?? '' })
}, 240_000)
