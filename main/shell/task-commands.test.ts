import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeEngine } from '../api/testing/fake-engine.ts'
import type { Task, TaskState } from '../contract/task.ts'
import { pathsIn } from '../paths.ts'
import { serve } from './serve.ts'

let home: string
let served: Awaited<ReturnType<typeof serve>>
let asked: unknown[] = []

const task = (id: string, state: TaskState, more: Partial<Task> = {}): Task => ({
  id,
  goal: 'g',
  image: 'desktop',
  planner: 'demo',
  state,
  machineId: null,
  verdict: null,
  error: null,
  checks: [],
  stepCount: 0,
  createdAt: new Date(0).toISOString(),
  startedAt: null,
  endedAt: null,
  ...more,
})

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'godhand-task-'))
  const note = (method: string) => (input: unknown) => {
    asked.push([method, input])
  }
  const engine = fakeEngine({
    'task.get': ({ taskId }) => ({ task: task(taskId, taskId === 'left' ? 'interrupted' : 'running'), steps: [] }),
    'task.resume': (input) => {
      note('task.resume')(input)
      return task(input.taskId, 'running')
    },
    'task.resumeInterrupted': (input) => {
      note('task.resumeInterrupted')(input)
      return task(input.taskId, 'queued')
    },
    'task.takeOver': ({ taskId }) => task(taskId, 'running', { hold: 'taken_over' }),
    'task.approve': (input) => {
      note('task.approve')(input)
      return task(input.taskId, 'running')
    },
    'task.handBack': (input) => {
      note('task.handBack')(input)
      return task(input.taskId, 'running')
    },
    'task.declare': (input) => {
      note('task.declare')(input)
      return task(input.taskId, 'running')
    },
    'task.guide': ({ taskId }) => task(taskId, 'running', { waitingFor: { kind: 'question', text: 'Which?' } }),
    'task.rollback': (input) => {
      note('task.rollback')(input)
      return task(input.taskId, 'running')
    },
    'secret.set': (input) => {
      note('secret.set')(input)
      return {}
    },
    'secret.list': () => ({ names: ['site_password'], warning: 'It is only a file.' }),
    'key.set': (input) => {
      note('key.set')(input)
      return {}
    },
    'key.list': () => ({ names: [], warning: null }),
  })
  served = await serve({ paths: pathsIn(home), port: 0, openEngine: async () => engine })
})
afterAll(async () => {
  await served.close('tests over')
  rmSync(home, { recursive: true, force: true })
})

async function godhand(args: string[], input = '') {
  asked = []
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'cli.ts'), ...args], {
    env: { ...process.env, GODHAND_HOME: home },
  })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { exitCode: await ended, stdout, stderr }
}

test('a secret is read from standard input, without the end of its line, and is not said again', async () => {
  const { exitCode, stdout, stderr } = await godhand(['secret', 'set', 'site_password'], 'open sesame\n')
  expect(exitCode).toBe(0)
  expect(asked).toEqual([['secret.set', { name: 'site_password', value: 'open sesame' }]])
  expect(stdout).toContain('{{site_password}}')
  expect(stderr).toContain('It is only a file.')
  expect(stdout + stderr).not.toContain('sesame')
})

test('a secret without a value is refused', async () => {
  expect(await godhand(['secret', 'set', 'site_password'])).toMatchObject({ exitCode: 2 })
  expect(asked).toEqual([])
})

test('a key belongs to a service that is known', async () => {
  expect(await godhand(['key', 'set', 'anthropic'], 'sk-ant-1')).toMatchObject({ exitCode: 0 })
  expect(asked).toEqual([['key.set', { name: 'anthropic', value: 'sk-ant-1' }]])
  expect(await godhand(['key', 'set', 'nobody'], 'x')).toMatchObject({ exitCode: 2 })
})

test('resume is one word for a task that waits and for one that was left behind', async () => {
  await godhand(['task', 'resume', 'waits'])
  expect(asked).toEqual([['task.resume', { taskId: 'waits' }]])
  const { stdout } = await godhand(['task', 'resume', 'left'])
  expect(asked).toEqual([['task.resumeInterrupted', { taskId: 'left' }]])
  expect(stdout).toBe('left is queued\n')
})

test('stepping in says how the task stands', async () => {
  expect((await godhand(['task', 'take-over', 't'])).stdout).toBe('t is in your hands\n')
  expect((await godhand(['task', 'guide', 't', 'the red one'])).stdout).toBe('t is waiting for an answer: Which?\n')
  await godhand(['task', 'approve', 't', 'allow-all'])
  expect(asked).toEqual([['task.approve', { taskId: 't', answer: 'allow_all' }]])
  expect((await godhand(['task', 'approve', 't', 'perhaps'])).exitCode).toBe(2)
})

test('a running task is put back by the name of a checkpoint', async () => {
  expect((await godhand(['task', 'rollback', 't', 'before the mess'])).exitCode).toBe(0)
  expect(asked).toEqual([['task.rollback', { taskId: 't', to: 'before the mess' }]])
})

test('what was taken over is handed back with a word, and a task done by hand is declared', async () => {
  await godhand(['task', 'hand-back', 't', '--say', 'mind the gap'])
  expect(asked).toEqual([['task.handBack', { taskId: 't', text: 'mind the gap' }]])
  await godhand(['task', 'declare', 't', 'It is done'])
  const word = { taskId: 't', success: true, summary: 'It is done', checks: [], timeoutSeconds: 10 }
  expect(asked).toEqual([['task.declare', word]])
  const file = path.join(home, 'checks.json')
  writeFileSync(file, '[{"check": "file_exists", "path": "/a"}]')
  await godhand(['task', 'declare', 't', 'Look', '--checks', file])
  expect(asked).toMatchObject([['task.declare', { checks: [{ check: 'file_exists', path: '/a' }] }]])
  writeFileSync(file, '[{"check": "magic"}]')
  expect(await godhand(['task', 'declare', 't', 'Look', '--checks', file])).toMatchObject({ exitCode: 2 })
})
