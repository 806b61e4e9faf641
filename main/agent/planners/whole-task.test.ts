import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { Budget, type Step } from '../../contract/task.ts'
import { FakeSandbox } from '../../sandbox/fake/machine.ts'
import { openFrameStore } from '../../trace/frame-store.ts'
import { FrameKeeper } from '../frame-keeper.ts'
import { runLoop } from '../loop.ts'
import type { Planner } from '../planner.ts'
import { openVerifier } from '../verify/verifier.ts'
import { AnthropicServer, computer, think, tool } from '../wire/anthropic-server.ts'
import { OpenAiChatServer } from '../wire/openai-chat-server.ts'
import { OpenAiResponsesServer, openAi } from '../wire/openai-responses-server.ts'
import { AnthropicPlanner } from './anthropic/planner.ts'
import { LocalPlanner } from './local/planner.ts'
import { OpenAiPlanner } from './openai/planner.ts'

const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0)) await undo()
})

const PATH = '/home/user/hello.txt'
const FILE = { check: 'file_content', path: PATH, text: 'hello' }
const done = { summary: 'It is written.', checks: [FILE], timeout_seconds: 0.2 }

/** The real loop and the real verifier, on a painted machine. */
async function runTask(planner: Planner) {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'godhand-task-'))
  cleanUp.push(() => fs.rm(folder, { recursive: true }))
  const store = await openFrameStore(folder)
  const memory = { pointer: { x: 0, y: 0 }, keys: [], files: {} }
  const sandbox = new FakeSandbox({ id: 'm', image: 'desktop' }, memory, () => ({
    exitCode: 0,
    stdout: '',
    stderr: '',
    truncated: false,
  }))
  const steps: Step[] = []
  const { signal } = new AbortController()
  const outcome = await runLoop({
    taskId: 't',
    goal: 'Write hello into a file',
    planner,
    sandbox: () => sandbox,
    frames: new FrameKeeper(store),
    verifier: openVerifier({ sandbox: () => sandbox, frames: store, readText: async () => [], signal }),
    budget: Budget.parse({ maxSteps: 20 }),
    currentSnapshot: () => null,
    signal,
    onStep: (step) => steps.push(step),
    onActivity: () => {},
  })
  return { outcome, steps, content: await sandbox.readFile(PATH) }
}

function expectWellDone({ outcome, steps, content }: Awaited<ReturnType<typeof runTask>>) {
  expect(outcome).toMatchObject({ kind: 'succeeded', summary: 'It is written.', checks: [{ verdict: { pass: true } }] })
  expect(content.toString()).toBe('hello\n')
  expect(steps.map(({ verdict }) => verdict)).toEqual(['unchecked', 'fail', 'unchecked', 'pass'])
}

test('Anthropic: a finish that was not true goes back, and then the task is done and verified', async () => {
  const server = await AnthropicServer.start([
    { content: [think('look'), computer('key', { text: 'ctrl+l' }), computer('type', { text: 'a' })] },
    { content: [tool('finish', done)] },
    { content: [tool('str_replace_based_edit_tool', { command: 'create', path: PATH, file_text: 'hello\n' })] },
    { content: [tool('finish', done)] },
  ])
  cleanUp.push(() => server.close())
  expectWellDone(await runTask(new AnthropicPlanner({ apiKey: server.apiKey, baseUrl: server.url })))
  expect(server.refused).toEqual([])
})

test('OpenAI: the same', async () => {
  const { computer: hands, call, think: reason } = openAi
  const server = await OpenAiResponsesServer.start([
    { output: [reason('look'), hands({ type: 'keypress', keys: ['CTRL', 'l'] }, { type: 'type', text: 'a' })] },
    { output: [call('finish', done)] },
    { output: [call('write_file', { path: PATH, text: 'hello\n' })] },
    { output: [call('finish', done)] },
  ])
  cleanUp.push(() => server.close())
  expectWellDone(await runTask(new OpenAiPlanner({ apiKey: server.apiKey, baseUrl: server.url })))
  expect(server.refused).toEqual([])
})

test('a local model: the same', async () => {
  const server = await OpenAiChatServer.start(
    ['llava'],
    [
      {
        calls: [
          { name: 'key', arguments: { keys: 'ctrl+l' } },
          { name: 'type', arguments: { text: 'a' } },
        ],
      },
      { calls: [{ name: 'finish', arguments: done }] },
      { calls: [{ name: 'write_file', arguments: { path: PATH, text: 'hello\n' } }] },
      { calls: [{ name: 'finish', arguments: done }] },
    ],
  )
  cleanUp.push(() => server.close())
  expectWellDone(await runTask(new LocalPlanner({ baseUrl: server.url, model: 'llava' })))
  expect(server.refused).toEqual([])
})
