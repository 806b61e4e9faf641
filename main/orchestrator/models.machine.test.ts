import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { AnthropicServer, computer, think, tool } from '../agent/wire/anthropic-server.ts'
import { OpenAiChatServer } from '../agent/wire/openai-chat-server.ts'
import { OpenAiResponsesServer, openAi } from '../agent/wire/openai-responses-server.ts'
import type { PlannerChoice, Task } from '../contract/task.ts'
import type { Engine } from '../engine.ts'
import { openLog } from '../log.ts'
import { openTestDriver, type TestDriver } from '../sandbox/qemu/testing.ts'
import { openEngine } from './engine.ts'

/** Whole tasks on a real machine, through each provider's own client, against a server as strict as the real one. */

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

const PATH = '/home/user/hello.txt'
const terminal = { check: 'window_active', title: 'Terminal' }
const written = { check: 'file_content', path: PATH, text: 'hello from' }
const finish = { summary: 'It is written.', checks: [written], timeout_seconds: 20 }

async function run(planner: PlannerChoice): Promise<Task> {
  const ended = Promise.withResolvers<Task>()
  const off = engine.onEvent((event) => {
    if (event.type === 'task' && event.task.endedAt) ended.resolve(event.task)
  })
  await engine.call('task.run', { goal: 'Write a file from the terminal', planner, keepMachine: true })
  return ended.promise.finally(off)
}

/** By another road than the loop's own check: the machine is still there and is asked directly. */
async function fileIn(task: Task): Promise<string> {
  const machineId = task.machineId ?? ''
  const { stdout } = await engine.call('vm.exec', { machineId, command: `cat ${PATH}` })
  await engine.call('vm.destroy', { machineId })
  return stdout
}

describe('a model opens a terminal, types a command, and its finish is checked', () => {
  it('through Anthropic’s client', async () => {
    const server = await AnthropicServer.start([
      {
        content: [
          think('A terminal first.'),
          computer('key', { text: 'ctrl+alt+t' }),
          tool('wait_for', { assertion: terminal }),
        ],
      },
      { content: [computer('type', { text: `echo hello from anthropic > ${PATH}\n` })] },
      { content: [tool('finish', finish)] },
    ])
    vi.stubEnv('ANTHROPIC_API_KEY', server.apiKey)
    vi.stubEnv('ANTHROPIC_BASE_URL', server.url)
    const task = await run({ kind: 'anthropic' })
    expect(task).toMatchObject({ state: 'succeeded', verdict: 'It is written.' })
    expect(await fileIn(task)).toBe('hello from anthropic\n')
    expect(server.refused).toEqual([])
    await server.close()
  })

  it('through OpenAI’s client', async () => {
    const { computer: hands, call, think: reason } = openAi
    const server = await OpenAiResponsesServer.start([
      { output: [reason('A terminal first.'), hands({ type: 'keypress', keys: ['CTRL', 'ALT', 't'] })] },
      { output: [call('wait_for', { assertion: terminal })] },
      { output: [hands({ type: 'type', text: `echo hello from openai > ${PATH}\n` })] },
      { output: [call('finish', finish)] },
    ])
    vi.stubEnv('OPENAI_API_KEY', server.apiKey)
    vi.stubEnv('OPENAI_BASE_URL', server.url)
    const task = await run({ kind: 'openai' })
    expect(task).toMatchObject({ state: 'succeeded', verdict: 'It is written.' })
    expect(await fileIn(task)).toBe('hello from openai\n')
    expect(server.refused).toEqual([])
    await server.close()
  })

  it('on a local server', async () => {
    const server = await OpenAiChatServer.start(
      ['llava'],
      [
        {
          calls: [
            { name: 'key', arguments: { keys: 'ctrl+alt+t' } },
            { name: 'wait_for', arguments: { assertion: terminal } },
          ],
        },
        { calls: [{ name: 'type', arguments: { text: `echo hello from nearby > ${PATH}\n` } }] },
        { calls: [{ name: 'finish', arguments: finish }] },
      ],
    )
    const task = await run({ kind: 'local', baseUrl: server.url, model: 'llava' })
    expect(task).toMatchObject({ state: 'succeeded', verdict: 'It is written.' })
    expect(await fileIn(task)).toBe('hello from nearby\n')
    expect(server.refused).toEqual([])
    await server.close()
  })
})

it('a task without a key is refused before a machine is started', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', '')
  await expect(engine.call('task.run', { goal: 'x', planner: { kind: 'anthropic' } })).rejects.toMatchObject({
    code: 'missing_prerequisite',
  })
  expect(await engine.call('vm.list', {})).toEqual([])
})
