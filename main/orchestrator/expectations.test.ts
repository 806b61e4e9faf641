import { afterEach, expect, it, vi } from 'vitest'
import { AnthropicServer, computer, tool } from '../agent/wire/anthropic-server.ts'
import type { Task } from '../contract/task.ts'
import { closeTextReader } from '../screen/text/read-text.ts'
import { openTestEngine } from './testing.ts'
import { tinyShell } from './testing-shell.ts'

/** What a model expects in words, from its call to the trace and back to the model. */

const cleanUp: (() => unknown)[] = [closeTextReader]
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const undo of cleanUp.splice(0).reverse()) await undo()
})

const finish = tool('finish', { summary: 'Done.', checks: [{ check: 'command', argv: ['has', 'a', '7'] }] })

it('is not taken for verified: the trace and the model read that no mechanism checked it, and what changed', async () => {
  const server = await AnthropicServer.start([
    {
      content: [
        computer('key', { text: 'a' }),
        tool('assert', { assertion: { check: 'screen_changed' } }),
        tool('expect', { words: 'A letter appears' }),
      ],
    },
    { content: [computer('key', { text: 'b' }), tool('expect', { words: 'The word “Saved” appears' })] },
    { content: [tool('bash', { command: 'put a 7' })] },
    { content: [finish] },
  ])
  cleanUp.push(() => server.close())
  vi.stubEnv('ANTHROPIC_API_KEY', server.apiKey)
  vi.stubEnv('ANTHROPIC_BASE_URL', server.url)
  const { engine, close } = await openTestEngine(tinyShell())
  cleanUp.push(close)
  const ended = Promise.withResolvers<Task>()
  engine.onEvent((event) => event.type === 'task' && event.task.endedAt && ended.resolve(event.task))
  const { id: taskId } = await engine.call('task.run', { goal: 'x', planner: { kind: 'anthropic' } })
  expect(await ended.promise).toMatchObject({ state: 'succeeded' })
  const { steps } = await engine.call('task.get', { taskId })

  // An assertion that held does not make the words true.
  expect(steps[0]).toMatchObject({
    verdict: 'unchecked',
    checks: [{ verdict: { pass: true } }],
    notices: [
      'Expected in words, and checked by no mechanism: “A letter appears”. The screen changed at the top left.',
    ],
  })
  const told = JSON.stringify(server.requests[1]?.messages.at(-1))
  expect(told).toContain('Not checked by a mechanism: look for yourself. The screen changed at the top left.')

  // What is quoted is looked for, and its absence is a failure like any other.
  expect(steps[1]).toMatchObject({
    verdict: 'fail',
    checks: [{ assertion: { check: 'text_visible', text: 'Saved' }, verdict: { pass: false } }],
  })
  expect(JSON.stringify(server.requests[2]?.messages.at(-1))).toContain('What you quoted is not on the screen.')
  expect(server.refused).toEqual([])
}, 40_000)
