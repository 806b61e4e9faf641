import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fakeEngine } from '../api/testing/fake-engine.ts'
import type { DayLimits } from '../contract/day-budget.ts'
import type { Calibration } from '../contract/model.ts'
import { noUsage } from '../contract/usage.ts'
import { pathsIn } from '../paths.ts'
import { serve } from './serve.ts'

let home: string
let served: Awaited<ReturnType<typeof serve>>
let limits: DayLimits = {}

const calibration = (blind: boolean): Calibration => ({
  model: 'qwen3-vl:8b',
  server: 'http://127.0.0.1:11434',
  format: 'qwen3-vl',
  screen: { width: 1280, height: 800 },
  space: 'thousand',
  mapping: { x: { scale: 0.001, offset: 0 }, y: { scale: 0.001, offset: 0 } },
  medianPx: 1,
  worstPx: 2,
  asked: 9,
  answered: 9,
  thrownOut: 0,
  blind,
  verdict: blind ? 'It will not click anything.' : 'The model points well.',
  at: new Date(0).toISOString(),
})

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'godhand-model-'))
  const spent = { day: '2026-11-18', steps: 7, elapsedMs: 90_000, usage: { ...noUsage, outputTokens: 1200, usd: 0.5 } }
  const engine = fakeEngine({
    'model.servers': () => [{ name: 'Ollama', url: 'http://127.0.0.1:11434', models: ['llava'] }],
    'model.list': (service) =>
      service.kind === 'local'
        ? [{ id: 'llava', usual: false, format: 'tools' }]
        : [{ id: `${service.kind}-model`, usual: true, format: null }],
    'model.test': (choice) => ({ model: choice.model ?? 'usual', tookMs: 1500, said: 'ready' }),
    'model.calibrate': ({ model }) => calibration(model === 'blind'),
    'model.calibrations': () => [calibration(false)],
    'budget.day.get': () => ({ limits, spent }),
    'budget.day.set': (given) => {
      limits = given
      return { limits, spent }
    },
  })
  served = await serve({ paths: pathsIn(home), port: 0, openEngine: async () => engine })
})
afterAll(async () => {
  await served.close('tests over')
  rmSync(home, { recursive: true, force: true })
})

async function godhand(...args: string[]) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'cli.ts'), ...args], {
    env: { ...process.env, GODHAND_HOME: home },
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { exitCode: await ended, stdout, stderr }
}

describe('models', () => {
  test('of services and servers are listed', async () => {
    expect((await godhand('model', 'servers')).stdout).toBe('Ollama at http://127.0.0.1:11434: llava\n')
    expect((await godhand('model', 'list')).stdout).toBe('anthropic-model  (the usual one)\n')
    expect((await godhand('model', 'list', '--server', 'http://127.0.0.1:11434')).stdout).toBe('llava  tools\n')
  })

  test('are tested, and a server’s model must be named', async () => {
    expect((await godhand('model', 'test', '--provider', 'openai')).stdout).toBe(
      'usual answered “ready” after 1.5 s.\n',
    )
    const { exitCode, stderr } = await godhand('model', 'test', '--server', 'http://127.0.0.1:11434')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('npx godhand model list')
  })

  test('are calibrated; one that cannot point ends with 1', async () => {
    const server = ['--server', 'http://127.0.0.1:11434']
    expect(await godhand('model', 'calibrate', 'qwen3-vl:8b', ...server)).toMatchObject({
      exitCode: 0,
      stdout: 'The model points well.\n',
    })
    expect(await godhand('model', 'calibrate', 'blind', ...server)).toMatchObject({ exitCode: 1 })
    expect((await godhand('model', 'calibrations')).stdout).toContain('1970-01-01: The model points well.')
  })
})

describe('the budget of a day', () => {
  test('is shown with what is spent, set, and lifted', async () => {
    expect((await godhand('budget', 'show')).stdout).toBe(
      'Today, 2026-11-18\nUS dollars: 0.50\ntokens: 1,200\nsteps: 7\nminutes: 1.5\n',
    )
    const set = await godhand('budget', 'set', '--usd', '2.5', '--tokens', '50000', '--steps', '9', '--minutes', '30')
    expect(limits).toEqual({ maxUsd: 2.5, maxTokens: 50_000, maxSteps: 9, maxMinutes: 30 })
    expect(set.stdout).toContain('US dollars: 0.50 of 2.5\ntokens: 1,200 of 50,000\nsteps: 7 of 9')
    expect(JSON.parse((await godhand('budget', 'show', '--json')).stdout)).toMatchObject({
      limits,
      spent: { steps: 7 },
    })
    await godhand('budget', 'set')
    expect(limits).toEqual({})
    expect(await godhand('budget', 'set', '--usd', 'lots')).toMatchObject({ exitCode: 2 })
  })
})
