import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { Budget, type Step } from '../../contract/task.ts'
import { FakeSandbox } from '../../sandbox/fake/machine.ts'
import { openFrameStore } from '../../trace/frame-store.ts'
import { FrameKeeper } from '../frame-keeper.ts'
import { runLoop } from '../loop.ts'
import type { Outcome } from '../loop-context.ts'
import type { Planner } from '../planner.ts'
import { openVerifier } from '../verify/verifier.ts'
import { type Answer, AnthropicServer, computer, say, tool } from '../wire/anthropic-server.ts'
import { type ChatAnswer, OpenAiChatServer } from '../wire/openai-chat-server.ts'
import { OpenAiResponsesServer, openAi, type ResponseAnswer } from '../wire/openai-responses-server.ts'
import { AnthropicPlanner } from './anthropic/planner.ts'
import { LocalPlanner } from './local/planner.ts'
import { OpenAiPlanner } from './openai/planner.ts'
import { quick } from './testing/stage.ts'

/**
 * Everything a model or its service can get wrong, from each provider: through its own client and a strict server, in the
 * real loop on a painted machine. The answer comes twice, then the model is sensible again.
 */

const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0)) await undo()
})

const PATH = '/home/user/a.txt'
const done = { summary: 'Done.', checks: [{ check: 'file_content', path: PATH, text: 'a' }], timeout_seconds: 0.2 }
const TEN_MB = 'blah '.repeat(2_000_000)
/** Only where nothing more is to come: a busy host must not look like a dead service. */
const opts = (wrong: Wrong) => ({ retries: quick, stallMs: wrong === 'a stream that stands still' ? 300 : 60_000 })

type Wrong =
  | 'bad JSON'
  | 'an unknown tool'
  | 'coordinates off the screen'
  | 'an empty turn'
  | 'ten megabytes of text'
  | 'a refusal'
  | '429'
  | '529'
  | '500'
  | 'a cut stream'
  | 'a stream that stands still'

const anthropic: Record<Wrong, Answer> = {
  'bad JSON': { content: [{ type: 'tool_use', name: 'bash', input: {}, rawJson: '{"command": "ls' }] },
  'an unknown tool': { content: [tool('teleport', { where: 'home' })] },
  'coordinates off the screen': { content: [computer('left_click', { coordinate: [5000, 10] })] },
  'an empty turn': { content: [] },
  'ten megabytes of text': { content: [say(TEN_MB)] },
  'a refusal': { content: [say('I will not.')], stop: 'refusal', explanation: 'Against the rules.' },
  '429': { status: 429, type: 'rate_limit_error', message: 'slow down', headers: { 'retry-after': '0' } },
  '529': { status: 529, type: 'overloaded_error', message: 'Overloaded' },
  '500': { status: 500, type: 'api_error', message: 'oops' },
  'a cut stream': { content: [say('I will '.repeat(50))], cutAfter: 5 },
  'a stream that stands still': { content: [say('I will '.repeat(50))], hangAfter: 5 },
}

const openai: Record<Wrong, ResponseAnswer> = {
  'bad JSON': { output: [openAi.call('exec', '{"command": "ls')] },
  'an unknown tool': { output: [openAi.call('teleport', { where: 'home' })] },
  'coordinates off the screen': { output: [openAi.computer({ type: 'click', button: 'left', x: 5000, y: 10 })] },
  'an empty turn': { output: [] },
  'ten megabytes of text': { output: [openAi.say(TEN_MB)] },
  'a refusal': { output: [{ type: 'refusal', refusal: 'Against the rules.' }] },
  '429': { status: 429, message: 'slow down', code: 'rate_limit_exceeded', headers: { 'retry-after': '0' } },
  '529': { status: 529, message: 'Overloaded' },
  '500': { status: 500, message: 'oops' },
  'a cut stream': { output: [openAi.say('I will '.repeat(50))], cutAfter: 5 },
  'a stream that stands still': { output: [openAi.say('I will '.repeat(50))], hangAfter: 5 },
}

const local: Record<Wrong, ChatAnswer> = {
  'bad JSON': { calls: [{ name: 'exec', arguments: '{"command": ' }] },
  'an unknown tool': { calls: [{ name: 'teleport', arguments: { where: 'home' } }] },
  'coordinates off the screen': { calls: [{ name: 'click', arguments: { x: 5000, y: 10 } }] },
  'an empty turn': { text: '' },
  'ten megabytes of text': { text: TEN_MB },
  'a refusal': { refusal: 'Against the rules.' },
  '429': { status: 429, message: 'slow down', headers: { 'retry-after': '0' } },
  '529': { status: 529, message: 'Overloaded' },
  '500': { status: 500, message: 'oops' },
  'a cut stream': { text: 'I will '.repeat(50), cutAfter: 5 },
  'a stream that stands still': { text: 'I will '.repeat(50), hangAfter: 5 },
}

type Case = { planner: Planner; refused: () => unknown[] }

const providers: Record<string, (wrong: Wrong, times: number) => Promise<Case>> = {
  anthropic: async (wrong, times) => {
    const server = await AnthropicServer.start((_request, count) => {
      if (count < times) return anthropic[wrong]
      const write = tool('str_replace_based_edit_tool', { command: 'create', path: PATH, file_text: 'a' })
      return { content: [count === times ? write : tool('finish', done)] }
    })
    cleanUp.push(() => server.close())
    const planner = new AnthropicPlanner({ apiKey: server.apiKey, baseUrl: server.url, ...opts(wrong) })
    return { planner, refused: () => server.refused }
  },
  openai: async (wrong, times) => {
    const server = await OpenAiResponsesServer.start((_request, count) => {
      if (count < times) return openai[wrong]
      const write = openAi.call('write_file', { path: PATH, text: 'a' })
      return { output: [count === times ? write : openAi.call('finish', done)] }
    })
    cleanUp.push(() => server.close())
    const planner = new OpenAiPlanner({ apiKey: server.apiKey, baseUrl: server.url, ...opts(wrong) })
    return { planner, refused: () => server.refused }
  },
  local: async (wrong, times) => {
    const server = await OpenAiChatServer.start(['llava'], (_request, count) => {
      if (count < times) return local[wrong]
      const write = { name: 'write_file', arguments: { path: PATH, text: 'a' } }
      return { calls: [count === times ? write : { name: 'finish', arguments: done }] }
    })
    cleanUp.push(() => server.close())
    return {
      planner: new LocalPlanner({ baseUrl: server.url, model: 'llava', ...opts(wrong) }),
      refused: () => server.refused,
    }
  },
}

async function runTask(planner: Planner) {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'godhand-wrong-'))
  cleanUp.push(() => fs.rm(folder, { recursive: true }))
  const store = await openFrameStore(folder)
  const memory = { pointer: { x: 0, y: 0 }, keys: [], files: {} }
  const nothing = { exitCode: 0, stdout: '', stderr: '', truncated: false }
  const sandbox = new FakeSandbox({ id: 'm', image: 'desktop' }, memory, () => nothing)
  const steps: Step[] = []
  const { signal } = new AbortController()
  const outcome: Outcome | Error = await runLoop({
    taskId: 't',
    goal: 'Write a into a file',
    planner,
    sandbox: () => sandbox,
    frames: new FrameKeeper(store),
    verifier: openVerifier({ sandbox: () => sandbox, frames: store, readText: async () => [], signal }),
    budget: Budget.parse({ maxSteps: 20 }),
    currentSnapshot: () => null,
    signal,
    onStep: (step) => steps.push(step),
    onActivity: () => {},
  }).catch((error: Error) => error)
  return { outcome, steps }
}

const told: Partial<Record<Wrong, RegExp>> = {
  'bad JSON': /JSON|not right|not said|Nothing was done/i,
  'an unknown tool': /teleport/,
  'coordinates off the screen': /not on the screen/,
  'an empty turn': /empty/i,
  'ten megabytes of text': /tool/i,
}
const passing: Partial<Record<Wrong, RegExp>> = {
  '429': /slow down/,
  '529': /overloaded/,
  '500': /error \(500\)/,
  'a cut stream': /connection|cut/i,
  'a stream that stands still': /nothing came/,
}

describe.each(Object.keys(providers))('%s', (name) => {
  const start = (wrong: Wrong, times: number) => {
    const provider = providers[name]
    if (!provider) throw new Error(name)
    return provider(wrong, times)
  }

  test.each(Object.entries(told))('%s is told to the model, which goes on', async (wrong, words) => {
    const { planner, refused } = await start(wrong as Wrong, 2)
    const { outcome, steps } = await runTask(planner)
    expect(outcome).toMatchObject({ kind: 'succeeded' })
    expect(refused()).toEqual([])
    expect(steps).toHaveLength(4)
    for (const step of steps.slice(0, 2)) {
      expect(step.actions).toEqual([])
      expect(step.thought).toMatch(words)
      expect(step.thought.length).toBeLessThan(25_000)
    }
  })

  test.each(Object.entries(passing))('%s is tried again, and the step says so', async (wrong, words) => {
    const { planner, refused } = await start(wrong as Wrong, 2)
    const { outcome, steps } = await runTask(planner)
    expect(outcome).toMatchObject({ kind: 'succeeded' })
    expect(refused()).toEqual([])
    expect(steps[0]?.notices).toHaveLength(2)
    expect(steps[0]?.notices?.join()).toMatch(words)
  })

  test.each(Object.keys(passing))('%s for good ends in a clear stop that can be resumed', async (wrong) => {
    const { planner } = await start(wrong as Wrong, 100)
    const { outcome, steps } = await runTask(planner)
    expect(outcome).toMatchObject({ code: 'interrupted', hint: expect.stringContaining('resume') })
    expect(steps).toMatchObject([{ verdict: 'fail', thought: expect.stringContaining('could not be reached') }])
    expect(steps[0]?.notices).toHaveLength(3)
  })

  test('a refusal is a clear stop, with the reason', async () => {
    const { planner } = await start('a refusal', 100)
    const { outcome, steps } = await runTask(planner)
    expect(outcome).toMatchObject({ kind: 'failed', summary: expect.stringContaining('Against the rules.') })
    expect(steps).toMatchObject([{ verdict: 'fail', thought: expect.stringContaining('refused') }])
  })

  test('answers that are never of use end the task', async () => {
    const { planner } = await start('an unknown tool', 100)
    const { outcome, steps } = await runTask(planner)
    expect(outcome).toMatchObject({ kind: 'failed', summary: expect.stringContaining('could not be used') })
    expect(steps.length).toBeLessThan(10)
  })
})
