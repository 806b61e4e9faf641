import fs from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { examples } from '../agent/examples/all.ts'
import { AnthropicServer, tool } from '../agent/wire/anthropic-server.ts'
import type { Consequence } from '../contract/branching.ts'
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
/** Asks a host the task may reach. Whether it answers does not matter. */
const CALL = `python3 -c "import urllib.request as u; u.urlopen('http://allowed.test/', timeout=5)" 2>/dev/null; true`

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
  const { script } = examples.find(({ id }) => id === 'three-ways') ?? {}
  if (!script) throw new Error('The example is gone.')
  const task = await run({ goal: script.goal, planner: { kind: 'script', script }, branching: { losers: 'files' } })
  off()
  const tree = await engine.call('lineage.get', { taskId: task.id })
  console.info(
    tree.branches
      .map(({ plan, state, won, reasons }) => `${won ? 'won' : 'lost'} ${plan}: ${state}. ${reasons.join(' ')}`)
      .join('\n'),
  )
  expect(task).toMatchObject({ state: 'succeeded', verdict: script.goal })
  expect(most).toBe(3)
  expect(tree.branches.map(({ state, won }) => ({ state, won }))).toEqual([
    { state: 'failed', won: false }, // all was well until it tidied up
    { state: 'passed', won: false },
    { state: 'passed', won: true },
  ])
  expect(tree.branches[1]?.unwanted).toHaveLength(3)
  expect(tree.branches[1]?.unwanted[0]).toContain('Removed the file /home/user/recipes/')
  expect(task.machineId).toBe(tree.branches[2]?.machineId)
  const book = path.join(test.paths.home, 'book.txt') // of a loser whose machine is gone
  const wish = { branchId: tree.branches[1]?.id ?? '', path: '/home/user/book.txt', file: book }
  await engine.call('branch.fetch', wish)
  expect(await fs.readFile(book, 'utf8')).toBe('two eggs\nan onion\na pinch of salt\n')
  expect(await ask(task, 'cat ~/note.txt; ls ~/recipes | wc -l')).toContain('Nobody has saved them.3')
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
  const all = 'cd ~ && find . -type f | sort | xargs sha256sum | sha256sum'
  const script = {
    goal: 'Remove the folder',
    steps: [
      {
        say: 'A folder, something in memory only, and a program at work.',
        do: [
          exec(
            'mkdir ~/keep && echo treasure > ~/keep/it && echo memory > /dev/shm/it && (sleep 9999 & echo $! > /dev/shm/pid)',
          ),
        ],
      },
      { say: 'What all of it looks like.', do: [exec(`${all} > /dev/shm/all`)] },
      { say: 'Away with it.', do: [exec(`rm -rf ~/keep; echo ran >> ~/count; kill $(cat /dev/shm/pid); ${CALL}`)] },
    ],
    finish: [{ check: 'file_exists' as const, path: '/home/user/keep', exists: false }],
  }
  const request: RunTaskInput = { goal: script.goal, planner: { kind: 'script', script }, approval: 'risky' }
  const answering = (answer: 'deny' | 'allow', shown: Consequence[]) => (task: Task) => {
    if (task.waitingFor?.kind !== 'approval' || !task.waitingFor.consequence || shown.length > 0) return
    shown.push(task.waitingFor.consequence)
    setImmediate(() => void engine.call('task.approve', { taskId: task.id, answer }))
  }
  const shown: Consequence[] = []
  const denied = await run({ ...request, allow: ['allowed.test'] }, answering('deny', shown))
  console.info(`shown before deciding: ${shown[0]?.changes.join('; ')}`)
  expect(shown[0]?.changes.join('; ')).toContain('Removed the file /home/user/keep/it')
  expect(shown[0]?.changes.join('; ')).not.toContain('godhand-proxy') // GodHand's own doing is none of its consequences
  expect(shown[0]?.before).not.toBeNull()
  expect(shown[0]?.egress).toMatchObject([{ host: 'allowed.test', outcome: 'refused' }]) // held in the copy, though the task may
  expect(denied.state).toBe('failed')
  const after = `${all} | cmp - /dev/shm/all && kill -0 $(cat /dev/shm/pid) && cat ~/keep/it /dev/shm/it; ls ~/count 2>/dev/null`
  expect(await ask(denied, after)).toBe('treasure\nmemory')
  await engine.call('vm.destroy', { machineId: denied.machineId ?? '' })

  // Where the task may reach nothing at all, what it tried is seen in the packets, and the copy is still the machine.
  const seen: Consequence[] = []
  const allowed = await run(request, answering('allow', seen))
  expect(seen[0]?.egress).toMatchObject([{ method: 'DNS', host: 'allowed.test', outcome: 'refused' }])
  expect(allowed.state).toBe('succeeded')
  expect(
    await ask(allowed, 'ls ~/keep 2>/dev/null; cat ~/count /dev/shm/it; kill -0 $(cat /dev/shm/pid) 2>/dev/null'),
  ).toBe('ran\nmemory')
  await engine.call('vm.destroy', { machineId: allowed.machineId ?? '' })
}, 240_000)

it('a way that hangs is ended with its machine, and the one that works wins', async () => {
  const finish = [holds(RESULT, '1')]
  const stuck = { say: 'For ever.', do: [{ ...exec('sleep 9999'), timeoutSeconds: 600 }] }
  const options = [
    { plan: 'wait for what never comes', steps: [stuck], finish },
    { plan: 'write it', steps: [{ say: 'At once.', do: [exec(`echo 1 > ${RESULT}`)] }], finish },
  ]
  const branch = { type: 'branch' as const, options, limits: { maxSeconds: 30 } }
  const script = { goal: 'Write 1', steps: [{ say: 'Both.', do: [branch] }], finish }
  const task = await run({ goal: script.goal, planner: { kind: 'script', script }, keepMachine: false })
  expect(task.state).toBe('succeeded')
  const { branches, machines } = await engine.call('lineage.get', { taskId: task.id })
  expect(branches.map(({ state, won }) => ({ state, won }))).toEqual([
    { state: 'timed_out', won: false },
    { state: 'passed', won: true },
  ])
  expect(machines.every(({ endedAt }) => endedAt !== null)).toBe(true)
  expect(await engine.call('vm.list', {})).toEqual([])
}, 240_000)
