import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Machine, Snapshot } from '../contract/machine.ts'
import { Step, Task } from '../contract/task.ts'
import { currentPaths, pathsIn } from '../paths.ts'
import { readLock } from './engine-lock.ts'
import { isAlive } from './process-identity.ts'

/** The whole way: a command, the engine it starts in the background, real machines, and nothing left at the end. */

let home: string
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'ghcli-'))
})
afterAll(async () => {
  await godhand('stop')
  rmSync(home, { recursive: true, force: true })
})

type Result = { exitCode: number | null; stdout: string; stderr: string }

function godhand(...args: string[]): Promise<Result> {
  const env = { ...process.env, GODHAND_HOME: home, GODHAND_ASSETS: currentPaths().assets }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [path.join(import.meta.dirname, 'cli.ts'), ...args],
      { env, maxBuffer: 64 * 1024 * 1024 },
      (_error, stdout, stderr) => resolve({ exitCode: child.exitCode, stdout, stderr }),
    )
  })
}

async function answer<T>(schema: z.ZodType<T>, ...args: string[]): Promise<T> {
  const { exitCode, stdout, stderr } = await godhand(...args, '--json')
  expect({ exitCode, stderr: exitCode === 0 ? '' : stdout + stderr }, args.join(' ')).toEqual({
    exitCode: 0,
    stderr: '',
  })
  return schema.parse(JSON.parse(stdout))
}

const inGuest = async (id: string, ...argv: string[]) => (await godhand('vm', 'exec', id, '--', ...argv)).stdout.trim()

describe('machines from the command line', () => {
  it('are made, driven, forked and ended by an engine that a command starts for itself', async () => {
    const made = await answer(Machine, 'vm', 'create')
    expect(await inGuest(made.id, 'uname', '-s')).toBe('Linux')
    expect((await godhand('vm', 'exec', made.id, '--', 'sh', '-c', 'exit 42')).exitCode).toBe(42)

    const file = path.join(home, 'screen.png')
    await answer(z.object({ file: z.literal(file) }), 'vm', 'screenshot', made.id, '-o', file)
    const picture = sharp(readFileSync(file))
    expect(await picture.metadata()).toMatchObject({ format: 'png', width: 1280, height: 800 })
    const drawn = (await picture.stats()).channels.map((channel) => channel.stdev)
    expect(Math.max(...drawn), 'a screen of one colour shows no desktop').toBeGreaterThan(5)

    await inGuest(made.id, 'sh', '-c', 'echo before > ~/state')
    const snapshot = await answer(Snapshot, 'vm', 'snapshot', made.id, '--label', 'before')
    const forks = await answer(z.array(Machine).length(2), 'vm', 'fork', made.id, '--count', '2')
    const [one, two] = forks.map((fork) => fork.id)
    await inGuest(one ?? '', 'sh', '-c', 'echo changed > ~/state')
    expect(await inGuest(one ?? '', 'sh', '-c', 'cat ~/state')).toBe('changed')
    expect(await inGuest(two ?? '', 'sh', '-c', 'cat ~/state')).toBe('before')

    const restored = await answer(Machine, 'vm', 'restore', snapshot.id)
    expect(await inGuest(restored.id, 'sh', '-c', 'cat ~/state')).toBe('before')
    expect(await answer(Machine, 'vm', 'pause', restored.id)).toMatchObject({ state: { kind: 'paused' } })
    expect(await answer(Machine, 'vm', 'resume', restored.id)).toMatchObject({ state: { kind: 'running' } })

    const running = await answer(z.array(Machine), 'vm', 'list')
    expect(running).toHaveLength(4)
    const pids = running.map((machine) => machine.pid ?? 0)
    expect(pids.every(isAlive)).toBe(true)
    expect((await godhand('vm', 'destroy', ...running.map((machine) => machine.id))).exitCode).toBe(0)
    expect(pids.filter(isAlive)).toEqual([])
    expect((await godhand('vm', 'exec', made.id, '--', 'true')).exitCode).toBe(3)
  })
})

describe('the demo from the command line', () => {
  it('succeeds and leaves a trace with every step', async () => {
    const done = await answer(Task.extend({ traceId: z.string() }), 'run', '--demo')
    expect(done.state).toBe('succeeded')
    const trace = await answer(z.object({ task: Task, steps: z.array(Step) }), 'trace', 'show', done.traceId)
    expect(trace.steps.length).toBe(done.stepCount)
    for (const step of trace.steps) {
      expect(step.before).toMatch(/^[0-9a-f]{64}$/)
      expect(step.after).toMatch(/^[0-9a-f]{64}$/)
      expect(step.timing.totalMs).toBeGreaterThan(0)
    }
    expect(trace.steps.some((step) => step.verdict === 'pass')).toBe(true)
    expect(await answer(z.array(Machine), 'vm', 'list')).toEqual([])
  })
})

describe('the engine in the background', () => {
  it('leaves with its machines when it is told to', async () => {
    const { pid } = await answer(Machine, 'vm', 'create')
    const engine = readLock(pathsIn(home))?.pid ?? 0
    expect(isAlive(engine)).toBe(true)
    expect(await answer(z.object({ stopped: z.boolean() }), 'stop')).toEqual({ stopped: true })
    expect([engine, pid ?? 0].filter(isAlive)).toEqual([])
    expect(existsSync(pathsIn(home).engineLock)).toBe(false)
  })
})
