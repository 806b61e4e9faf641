import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeEngine, FRAME, fakeEngine, PNG } from '../api/testing/fake-engine.ts'
import { GodHandError } from '../contract/errors.ts'
import type { Machine } from '../contract/machine.ts'
import { type Step, Task } from '../contract/task.ts'
import { pathsIn } from '../paths.ts'
import { type Served, serve } from './serve.ts'
import { shellQuote } from './shell-quote.ts'

let home: string
let served: Served
let engine: FakeEngine
const asked: { method: string; input: unknown }[] = []

const machine: Machine = {
  id: 'vm-1',
  name: 'one',
  driver: 'fake',
  image: 'desktop',
  state: { kind: 'running' },
  parentSnapshot: null,
  taskId: null,
  memoryMb: 1024,
  cpus: 2,
  screen: { width: 1280, height: 800 },
  pid: null,
  createdAt: new Date(0).toISOString(),
  startedInMs: 412,
}

const task = (state: Task['state']): Task =>
  Task.parse({
    id: 'task-1',
    goal: 'a goal',
    image: 'desktop',
    planner: 'demo',
    state,
    machineId: null,
    verdict: state === 'succeeded' ? 'It is done.' : null,
    error: null,
    checks: [],
    stepCount: 1,
    createdAt: new Date(0).toISOString(),
    startedAt: null,
    endedAt: null,
  })

const step: Step = {
  taskId: 'task-1',
  index: 0,
  thought: 'Opening the editor',
  actions: [{ act: { type: 'key', chord: 'super+e', repeat: 1 }, result: { ok: true } }],
  before: null,
  after: null,
  settle: null,
  checks: [],
  verdict: 'pass',
  snapshotBefore: null,
  snapshotAfter: null,
  startedAt: new Date(0).toISOString(),
  timing: { planMs: 1, actMs: 2, settleMs: 3, verifyMs: 4, totalMs: 10 },
}

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'godhand-cli-'))
  const known = (machineId: string) => {
    if (machineId !== 'vm-1')
      throw new GodHandError('not_found', `There is no machine ${machineId}.`, { hint: 'See vm list.' })
  }
  engine = fakeEngine({
    'vm.create': () => machine,
    'vm.list': () => [machine],
    'vm.usage': () => [],
    'vm.exec': (input) => {
      known(input.machineId)
      asked.push({ method: 'vm.exec', input })
      return { exitCode: 7, stdout: 'out\n', stderr: 'err\n', truncated: false }
    },
    'vm.act': (input) => {
      known(input.machineId)
      asked.push({ method: 'vm.act', input })
      return {}
    },
    'vm.find': ({ text }) => ({
      frame: FRAME,
      width: 1280,
      height: 800,
      found:
        text === 'Save'
          ? [
              {
                text,
                box: { x: 10, y: 40, width: 40, height: 10 },
                point: { x: 30, y: 45 },
                score: 1,
                confidence: 1,
                line: 'Save changes',
              },
            ]
          : [],
    }),
    'vm.check': ({ assertion }) => ({
      pass: 'path' in assertion && assertion.path === '/there',
      summary: 'Looked.',
      tookMs: 1,
      samples: 1,
      evidence: {},
    }),
    'vm.screenshot': () => ({ frame: FRAME, width: 1280, height: 800 }),
    'vm.fork': ({ count }) => Array.from({ length: count ?? 1 }, (_, index) => ({ ...machine, id: `vm-${index + 2}` })),
    'engine.doctor': () => [
      { name: 'QEMU', status: 'problem', summary: 'It is not there.', hint: 'npm start brings it.' },
    ],
    'task.run': ({ goal }) => {
      // The end may come before the answer to the call: nothing of it may be lost.
      engine.tell({ type: 'step', step })
      if (goal !== 'never ends') engine.tell({ type: 'task', task: task(goal === 'fail' ? 'failed' : 'succeeded') })
      return task('queued')
    },
    'task.stop': () => {
      engine.tell({ type: 'task', task: task('stopped') })
      return task('stopped')
    },
    'task.list': () => [task('succeeded')],
    'task.get': ({ taskId }) => {
      if (taskId !== 'task-1') throw new GodHandError('not_found', `There is no trace ${taskId}.`)
      return { task: task('succeeded'), steps: [step] }
    },
  })
  served = await serve({ paths: pathsIn(home), port: 0, openEngine: async () => engine })
})

afterAll(async () => {
  await served.close('tests over')
  rmSync(home, { recursive: true, force: true })
})

type Result = { exitCode: number | null; stdout: string; stderr: string }

function godhand(
  args: string[],
  options: { interruptOn?: string; env?: Record<string, string> } = {},
): Promise<Result> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [path.join(import.meta.dirname, 'cli.ts'), ...args],
      { env: { ...process.env, GODHAND_HOME: home, ...options.env } },
      (_error, stdout, stderr) => resolve({ exitCode: child.exitCode, stdout, stderr }),
    )
    child.stdout?.on('data', (text: string) => {
      if (options.interruptOn && text.includes(options.interruptOn)) child.kill('SIGINT')
    })
  })
}

describe('answers', () => {
  it('are one JSON document with --json', async () => {
    const { exitCode, stdout, stderr } = await godhand(['vm', 'create', '--json'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual(machine)
  })

  it('are aligned text otherwise', async () => {
    const { stdout } = await godhand(['vm', 'list'])
    const [heading, row] = stdout.split('\n')
    expect(row?.indexOf('running')).toBe(heading?.indexOf('STATE'))
  })

  it('have a link to the app', async () => {
    const { url } = JSON.parse((await godhand(['open', '--json'])).stdout)
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(303)
  })

  it('hold every step of a trace', async () => {
    expect(JSON.parse((await godhand(['trace', 'show', 'task-1', '--json'])).stdout).steps).toEqual([step])
    expect((await godhand(['trace', 'show', 'task-1'])).stdout).toContain('Press super+e')
    expect((await godhand(['trace', 'list'])).stdout).toMatch(/task-1 +succeeded +1 /)
  })
})

describe('exit codes', () => {
  it('are 3 for a machine nobody knows, with the reason on standard error', async () => {
    const { exitCode, stdout, stderr } = await godhand(['vm', 'exec', 'vm-9', '--', 'true'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(stderr).toBe('godhand: There is no machine vm-9.\n  See vm list.\n')
  })

  it('are 3 with the error as JSON on standard output when that was asked for', async () => {
    const { exitCode, stdout } = await godhand(['trace', 'show', 'nothing', '--json'])
    expect(exitCode).toBe(3)
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'not_found', message: 'There is no trace nothing.' } })
  })

  it.each([
    [['vm', 'click', 'vm-1', 'left', '3']],
    [['vm', 'explode']],
    [['run']],
    [['vm', 'fork', 'vm-1', '--count', '0']],
    [['vm', 'fork', 'vm-1', '--count', '99']],
    [['vm', 'click', 'vm-1', '1', '2', '--button', 'upper']],
  ])('are 2 for what is not understood: %j', async (args) => {
    expect((await godhand(args)).exitCode).toBe(2)
    const { exitCode, stdout } = await godhand([...args, '--json'])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'bad_request' } })
  })

  it('are 1 when the doctor finds a problem', async () => {
    const { exitCode, stdout } = await godhand(['doctor'])
    expect(exitCode).toBe(1)
    expect(stdout).toBe('✗ QEMU  It is not there.\n        → npm start brings it.\n')
  })

  it('are 4 when the data folder cannot be written', async () => {
    const file = path.join(home, 'a-file')
    writeFileSync(file, '')
    const { exitCode, stdout } = await godhand(['vm', 'list', '--json'], {
      env: { GODHAND_HOME: path.join(file, 'home') },
    })
    expect(exitCode).toBe(4)
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'not_writable',
      hint: expect.stringContaining('GODHAND_HOME'),
    })
  })
})

describe('vm', () => {
  it('exec hands over argument by argument and ends with the exit code of the guest', async () => {
    const argv = ['sh', '-c', 'echo "$HOME" \'a b\'', '--json', '']
    const { exitCode, stdout, stderr } = await godhand(['vm', 'exec', 'vm-1', '--', ...argv])
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 7, stdout: 'out\n', stderr: 'err\n' })
    expect(asked.at(-1)?.input).toMatchObject({ machineId: 'vm-1', command: shellQuote(argv) })
  })

  it('screenshot writes the PNG', async () => {
    const file = path.join(home, 'x.png')
    const { stdout } = await godhand(['vm', 'screenshot', 'vm-1', '-o', file, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ file, width: 1280, height: 800 })
    expect(readFileSync(file).equals(PNG)).toBe(true)
  })

  it.each([
    [['click', 'vm-1', '10', '20', '--count', '2'], { type: 'click', at: { x: 10, y: 20 }, button: 'left', count: 2 }],
    [['type', 'vm-1', 'hello  "you"'], { type: 'type', text: 'hello  "you"' }],
    [['key', 'vm-1', 'ctrl+s'], { type: 'key', chord: 'ctrl+s', repeat: 1 }],
    [['act', 'vm-1', '{"type":"scroll","dx":3}'], { type: 'scroll', dx: 3, dy: 0 }],
  ])('%j reaches the machine', async (args, action) => {
    expect((await godhand(['vm', ...args])).exitCode).toBe(0)
    const settle = args[0] === 'act'
    expect(asked.at(-1)).toEqual({ method: 'vm.act', input: { machineId: 'vm-1', action, settle } })
  })

  it('find says where to click, and ends with 1 where there is nothing', async () => {
    const { exitCode, stdout } = await godhand(['vm', 'find', 'vm-1', 'Save', '--region', '0,0,640,400'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '30, 45  Save changes\n' })
    expect((await godhand(['vm', 'find', 'vm-1', 'Nothing'])).exitCode).toBe(1)
  })

  it('check ends with the verdict, and with 2 for what is no statement', async () => {
    const check = async (assertion: string) => (await godhand(['vm', 'check', 'vm-1', assertion])).exitCode
    expect(await check('{"check":"file_exists","path":"/there"}')).toBe(0)
    expect(await check('{"check":"file_exists","path":"/gone"}')).toBe(1)
    expect(await check('{"check":"no such check"}')).toBe(2)
    expect(await check('file_exists')).toBe(2)
  })

  it('fork tells every new machine', async () => {
    const { stdout } = await godhand(['vm', 'fork', 'vm-1', '--count', '2', '--json'])
    expect(JSON.parse(stdout).map((one: Machine) => one.id)).toEqual(['vm-2', 'vm-3'])
  })
})

describe('run', () => {
  it('shows the steps, the verdict and the trace', async () => {
    const { exitCode, stdout } = await godhand(['run', '--demo'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Opening the editor')
    expect(stdout).toContain('succeeded: It is done.')
    expect(stdout).toContain('trace show task-1')
  })

  it('prints the trace id as JSON, and nothing else', async () => {
    const { exitCode, stdout } = await godhand(['run', '--demo', '--json'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ traceId: 'task-1', state: 'succeeded' })
  })

  it('ends with 1 when the goal was not reached', async () => {
    expect((await godhand(['run', 'fail'])).exitCode).toBe(1)
  })

  it('stops the task on Ctrl-C and ends with 130', async () => {
    const { exitCode, stdout } = await godhand(['run', 'never ends'], { interruptOn: 'Opening the editor' })
    expect(exitCode).toBe(130)
    expect(stdout).toContain('stopped')
  })
})

describe('a guest command line', () => {
  it('survives the shell word by word', async () => {
    const argv = ['plain', '', 'two words', "it's", '$HOME', '`id`', 'a\nb', '*', '~', '"', '\\', ';rm', 'ä']
    const line = `printf '%s\\0' ${shellQuote(argv)}`
    const printed = await new Promise<string>((resolve, reject) =>
      execFile('sh', ['-c', line], (error, stdout) => (error ? reject(error) : resolve(stdout))),
    )
    expect(printed.split('\0').slice(0, -1)).toEqual(argv)
  })
})
