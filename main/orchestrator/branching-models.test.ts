import { afterEach, expect, it, vi } from 'vitest'
import { AnthropicServer, type Respond, say, tool } from '../agent/wire/anthropic-server.ts'
import { OpenAiChatServer } from '../agent/wire/openai-chat-server.ts'
import { OpenAiResponsesServer, openAi } from '../agent/wire/openai-responses-server.ts'
import type { ModelChoice } from '../contract/model.ts'
import type { RunTaskInput, Task } from '../contract/task.ts'
import { openTestEngine } from './testing.ts'
import { tinyShell } from './testing-shell.ts'

/** A real engine and the strict wire server, on painted machines: models that branch, and one that judges. */

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const undo of cleanUp.splice(0).reverse()) await undo()
})

type WireServer = AnthropicServer | OpenAiResponsesServer | OpenAiChatServer
type Body = Parameters<Respond>[0]
const wordsOf = ({ messages }: Body) => JSON.stringify(messages)
const lastOf = ({ messages }: Body) => JSON.stringify(messages.at(-1))
const bash = (command: string) => ({ content: [tool('bash', { command })] })
const finish = (summary: string, file: string, text: string) => ({
  content: [
    tool('finish', { summary, checks: [{ check: 'command', argv: ['has', file, text] }], timeout_seconds: 0.2 }),
  ],
})

async function open(respond: Respond, more: Partial<RunTaskInput> = {}) {
  const server = await AnthropicServer.start(respond)
  cleanUp.push(() => server.close())
  vi.stubEnv('ANTHROPIC_API_KEY', server.apiKey)
  vi.stubEnv('ANTHROPIC_BASE_URL', server.url)
  const { engine, close } = await openTestEngine(tinyShell())
  cleanUp.push(close)
  const ended = Promise.withResolvers<Task>()
  engine.onEvent((event) => event.type === 'task' && event.task.endedAt && ended.resolve(event.task))
  const { id } = await engine.call('task.run', { goal: 'Put 7 into a', planner: { kind: 'anthropic' }, ...more })
  const task = await ended.promise
  const { branches } = await engine.call('lineage.get', { taskId: id })
  const { steps } = await engine.call('task.get', { taskId: id })
  expect(server.refused).toEqual([])
  return { server, engine, task, branches, steps }
}

/** Two ways that both lead there and cost the same, so that only a judge can tell. */
const twoEqualWays: (plans: unknown[], judged: string) => Respond = (plans, judged) => (request) => {
  if (!request.tools?.length) return { content: [say(judged)] }
  if (/Way \d won/.test(wordsOf(request))) return finish('Done.', 'a', '7')
  if (!wordsOf(request).includes('You are in branch')) return { content: [tool('branch', { plans })] }
  return lastOf(request).includes('You are in branch') ? bash('put a 7') : finish('It is there.', 'a', '7')
}

it('a tie is put to the model with the evidence, and its reasoning is kept; the way it names wins', async () => {
  const judged = 'Here is my verdict: {"winner": 2, "reason": "Its plan leaves nothing behind."}'
  const { server, task, branches, steps } = await open(twoEqualWays(['the short way', 'the tidy way'], judged))
  expect(task.state).toBe('succeeded')
  expect(branches.map(({ won, state }) => ({ won, state }))).toEqual([
    { won: false, state: 'passed' },
    { won: true, state: 'passed' },
  ])
  const reason = /by anthropic:[\w-]+: Its plan leaves nothing behind\.$/
  expect(branches[1]?.reasons.at(-1)).toMatch(reason)
  expect(branches[0]?.reasons.at(-1)).toMatch(reason)
  const asked = server.requests.filter(({ tools }) => !tools?.length)
  expect(asked).toHaveLength(1)
  const evidence = JSON.stringify(asked[0]?.messages)
  for (const part of ['Put 7 into a', 'the short way', 'the tidy way', 'holds: ', '"type":"image"'])
    expect(evidence).toContain(part)
  const told = steps.flatMap(({ actions }) => actions).find(({ act }) => act.type === 'branch')?.result
  expect(told?.text).toContain('Its plan leaves nothing behind.')
})

const verdict = '{"winner": 2, "reason": "Its plan leaves nothing behind."}'
const judges: [name: string, start: () => Promise<{ server: WireServer; judge: ModelChoice }>][] = [
  [
    'anthropic',
    async () => {
      const server = await AnthropicServer.start([{ content: [say(verdict)] }])
      vi.stubEnv('ANTHROPIC_API_KEY', server.apiKey)
      vi.stubEnv('ANTHROPIC_BASE_URL', server.url)
      return { server, judge: { kind: 'anthropic' } }
    },
  ],
  [
    'openai',
    async () => {
      const server = await OpenAiResponsesServer.start([{ output: [openAi.say(verdict)] }])
      vi.stubEnv('OPENAI_API_KEY', server.apiKey)
      vi.stubEnv('OPENAI_BASE_URL', server.url)
      return { server, judge: { kind: 'openai' } }
    },
  ],
  [
    'local',
    async () => {
      const server = await OpenAiChatServer.start(['llava'], [{ text: verdict }])
      return { server, judge: { kind: 'local', baseUrl: server.url, model: 'llava' } }
    },
  ],
]

it.each(judges)('a tie of scripted ways is broken by the judge the rules name: %s', async (kind, start) => {
  const { server, judge } = await start()
  cleanUp.push(() => server.close())
  const { engine, close } = await openTestEngine(tinyShell())
  cleanUp.push(close)
  const finish = [{ check: 'command' as const, argv: ['has', 'a', '7'] }]
  const steps = [{ say: 'Put it.', do: [{ type: 'exec' as const, command: 'put a 7' }] }]
  const options = ['the short way', 'the tidy way'].map((plan) => ({ plan, steps, finish }))
  const script = { goal: 'Put 7 into a', steps: [{ say: 'Both.', do: [{ type: 'branch' as const, options }] }], finish }
  const ended = Promise.withResolvers<Task>()
  engine.onEvent((event) => event.type === 'task' && event.task.endedAt && ended.resolve(event.task))
  const { id: taskId } = await engine.call('task.run', {
    goal: script.goal,
    planner: { kind: 'script', script },
    branching: { rules: { judge } },
  })
  expect(await ended.promise).toMatchObject({ state: 'succeeded' })
  const { branches } = await engine.call('lineage.get', { taskId })
  expect(branches.map(({ won }) => won)).toEqual([false, true])
  expect(branches[1]?.reasons.at(-1)).toMatch(new RegExp(`by ${kind}:[\\w.-]+: Its plan leaves nothing behind\\.$`))
  expect(server.refused).toEqual([])
  expect(server.requests).toHaveLength(1)
  const evidence = JSON.stringify(server.requests)
  for (const part of ['Put 7 into a', 'the short way', 'the tidy way', 'holds: ', 'image'])
    expect(evidence).toContain(part)
})

it('a judge that says nothing usable decides nothing: the way named first wins, and that is said', async () => {
  const { branches } = await open(twoEqualWays(['one', 'two'], 'I like both of them.'))
  expect(branches.map(({ won }) => won)).toEqual([true, false])
  expect(branches[0]?.reasons.at(-1)).toContain('named first')
})

it('a person whose rules say so never pays for a judge', async () => {
  const { server } = await open(twoEqualWays(['one', 'two'], 'unused'), {
    branching: { rules: { ties: 'first' } },
  })
  expect(server.requests.filter(({ tools }) => !tools?.length)).toEqual([])
})

it('copies share every byte of the conversation with each other and with the planner that goes on', async () => {
  const { server } = await open(twoEqualWays(['one', 'two'], '{"winner": 1, "reason": "Either."}'))
  const before = (request: Body) => JSON.stringify([request.system, request.tools, request.messages.slice(0, -1)])
  const begun = server.requests.filter((request) => lastOf(request).includes('You are in branch'))
  const goingOn = server.requests.find((request) => /Way \d won/.test(lastOf(request)))
  expect(begun.map(before)).toEqual([before(begun[0] as Body), before(begun[0] as Body)])
  expect(goingOn && before(goingOn)).toBe(before(begun[0] as Body))
  // Where it is told to go is said by GodHand, and not marked as something a machine printed.
  expect(lastOf(begun[0] as Body)).not.toMatch(/untrusted_output[^"]*You are in branch/)
})

it('a plan may be given to another model, which knows the task and the plan', async () => {
  const other = 'claude-haiku-5-5'
  const plans = ['mine', { plan: 'for the other', planner: { kind: 'anthropic', model: other } }]
  const { server, branches } = await open((request, count) => {
    if (request.model === other)
      return lastOf(request).includes('tool_result') ? finish('x', 'a', '7') : bash('put a 7')
    return twoEqualWays(plans, '{"winner": 2, "reason": "Cheaper."}')(request, count)
  })
  expect(branches.map(({ planner }) => planner)).toEqual([expect.stringContaining('opus'), `anthropic:${other}`])
  const first = server.requests.find(({ model }) => model === other)
  expect(first?.messages).toHaveLength(1)
  expect(JSON.stringify(first?.messages)).toContain('Follow this plan and no other: for the other')
  expect(branches.every(({ state }) => state === 'passed')).toBe(true)
})

it('after failing again and again the machine is put back, and the model hears what was tried', async () => {
  const { server, steps } = await open(
    (request, count) => {
      if (wordsOf(request).includes('Do not do the same again'))
        return lastOf(request).includes('Do not do the same again') ? bash('put a 7') : finish('Done.', 'a', '7')
      return {
        content: [
          tool('bash', { command: `put b ${count}` }),
          tool('assert', { assertion: { check: 'command', argv: ['has', 'a', '7'] }, timeout_seconds: 0.2 }),
        ],
      }
    },
    { recovery: { after: 2, times: 1 } },
  )
  expect(steps.map(({ verdict }) => verdict)).toEqual(['fail', 'fail', 'unchecked', 'pass'])
  const told = server.requests.find((request) => lastOf(request).includes('Do not do the same again'))
  expect(told && lastOf(told)).toContain('put b 0; Run put b 1')
  expect(new Set(steps.map(({ machineId }) => machineId)).size).toBe(2)
})
