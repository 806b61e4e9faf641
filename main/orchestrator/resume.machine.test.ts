import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { AnthropicServer, tool } from '../agent/wire/anthropic-server.ts'
import { type Client, connect } from '../contract/client.ts'
import type { EngineEvent } from '../contract/rpc.ts'
import type { Task } from '../contract/task.ts'
import { currentPaths, pathsIn } from '../paths.ts'

const PATH = '/home/user/steps.txt'
const Door = z.object({ pid: z.number(), port: z.number(), token: z.string() })
const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo()
})

const write = (...numbers: number[]) => ({
  content: [tool('bash', { command: `printf '${numbers.map((n) => `${n}\\n`).join('')}' >> ${PATH}` })],
})
const finish = {
  content: [
    tool('finish', {
      summary: 'All is written.',
      checks: [{ check: 'file_content', path: PATH, text: '1\n2\n3\n4\n5\n6\n7\n8\n', match: 'exact' }],
      timeout_seconds: 5,
    }),
  ],
}

/** The engine as people run it: in a process of its own, which can be killed. */
async function startEngine(home: string, env: Record<string, string>, onEvent: (event: EngineEvent) => void) {
  const { assets } = currentPaths()
  const child: ChildProcess = spawn(
    process.execPath,
    [path.join(import.meta.dirname, '../shell/browser.ts'), '--no-open'],
    {
      env: { ...process.env, ...env, GODHAND_HOME: home, GODHAND_ASSETS: assets },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await gone
  }
  cleanUp.push(() => end('SIGTERM'))
  // The page is served before the engine behind it stands; the note then names the door.
  const { port, token } = await vi.waitFor(
    async () => {
      const note = Door.parse(JSON.parse(await fs.readFile(pathsIn(home).engineLock, 'utf8')))
      expect(note.pid).toBe(child.pid) // an engine that was killed leaves its own behind
      return note
    },
    { timeout: 60_000 },
  )
  const client: Client = connect({ url: `ws://127.0.0.1:${port}/rpc`, token, reconnect: false, onEvent })
  cleanUp.push(() => client.close())
  return { client, end }
}

it('a task whose engine is killed goes on from its last checkpoint, in the same conversation and the same trace', async () => {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'gh-res-'))
  cleanUp.push(() => fs.rm(home, { recursive: true, force: true }))
  const thinking = Promise.withResolvers<void>()
  const server = await AnthropicServer.start((request, count) => {
    if (count < 7) return write(count + 1)
    if (count === 7) {
      thinking.resolve()
      return { ...write(8), hangAfter: 2 }
    }
    const told = JSON.stringify(request.messages.at(-1)).includes('GodHand was restarted')
    return told ? write(6, 7, 8) : finish
  })
  cleanUp.push(() => server.close())
  const env = { ANTHROPIC_API_KEY: server.apiKey, ANTHROPIC_BASE_URL: server.url }

  const first = await startEngine(home, env, () => {})
  const planner = { kind: 'anthropic' } as const
  const { id: taskId } = await first.client.call('task.run', { goal: 'Count to eight', planner })
  await thinking.promise
  await first.end('SIGKILL')

  const ended = Promise.withResolvers<Task>()
  const second = await startEngine(home, env, (event) => {
    if (event.type === 'task' && event.task.endedAt) ended.resolve(event.task)
  })
  const before = await second.client.call('task.get', { taskId })
  expect(before.task).toMatchObject({ state: 'interrupted', stepCount: 7 })
  expect(before.steps.map(({ snapshotAfter }) => snapshotAfter !== null)).toEqual(
    [false, false, false, false, true, false, false], // the machine was kept after the fifth
  )

  expect(await second.client.call('task.resumeInterrupted', { taskId })).toMatchObject({
    state: 'queued',
    endedAt: null,
  })
  expect(await ended.promise).toMatchObject({ id: taskId, state: 'succeeded', verdict: 'All is written.' })
  const { steps } = await second.client.call('task.get', { taskId })
  expect(steps.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  expect(steps.slice(0, 7)).toEqual(before.steps)
  expect(steps[7]?.snapshotBefore).toBe(before.steps[4]?.snapshotAfter)

  expect(server.refused).toEqual([])
  const [asked, again] = [server.requests[7], server.requests[8]]
  expect(again?.messages.length).toBeGreaterThanOrEqual(asked?.messages.length ?? Number.POSITIVE_INFINITY)
  expect(again?.messages[0]).toMatchObject({ content: asked?.messages[0]?.content })
  await expect(second.client.call('task.resumeInterrupted', { taskId })).rejects.toMatchObject({ code: 'conflict' })
})
