import fs from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Script, type ScriptInput, type Task } from '../../contract/task.ts'
import { openTestDriver, type TestDriver } from '../../sandbox/qemu/testing.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { readText } from '../../screen/text/read-text.ts'
import { verifyBundle } from '../../trace/bundle/verify-bundle.ts'
import { exportBundle } from '../../trace/export/export-trace.ts'
import { type FrameStore, openFrameStore } from '../../trace/frame-store.ts'
import { newId } from '../../trace/ids.ts'
import { importBundle } from '../../trace/import/import-bundle.ts'
import { openStore, type Store } from '../../trace/store.ts'
import { FrameKeeper } from '../frame-keeper.ts'
import { runLoop } from '../loop.ts'
import type { Planner } from '../planner.ts'
import { openVerifier } from '../verify/verifier.ts'
import { demo } from './demo.ts'
import { replayFor } from './replay.ts'
import { ScriptPlanner } from './script.ts'

let machines: TestDriver
beforeAll(async () => {
  machines = await openTestDriver()
  await machines.driver.prepare('desktop', () => {})
})
afterAll(() => machines.close())

type Home = { store: Store; frames: FrameStore; folder: string }

async function emptyHome(): Promise<Home> {
  const folder = await fs.mkdtemp(path.join(machines.paths.home, 'home-'))
  return {
    store: openStore(path.join(folder, 'godhand.db')),
    frames: await openFrameStore(path.join(folder, 'frames')),
    folder,
  }
}

/** A task on a fresh machine, kept in the home, as the orchestrator would. */
async function run(
  { store, frames }: Home,
  planner: Planner,
  prepare?: (machine: Sandbox) => Promise<unknown>,
): Promise<Task> {
  const id = newId('task')
  const sandbox = await machines.driver.create({ id: newId('vm'), image: 'desktop' })
  const { signal } = new AbortController()
  const created = {
    goal: 'Replay',
    image: 'desktop',
    planner: planner.name,
    machineId: null,
    error: null,
    checks: [],
    stepCount: 0,
  }
  const times = { createdAt: new Date().toISOString(), startedAt: null, endedAt: null }
  store.tasks.insert({ id, ...created, ...times, state: 'running', verdict: null })
  try {
    await prepare?.(sandbox)
    const outcome = await runLoop({
      taskId: id,
      goal: 'Replay',
      planner,
      sandbox: () => sandbox,
      frames: new FrameKeeper(frames),
      verifier: openVerifier({ sandbox: () => sandbox, frames, readText, signal }),
      budget: { maxSteps: 200, maxMinutes: 20 },
      currentSnapshot: () => null,
      signal,
      onStep: (step, fresh) => store.steps.append(step, fresh),
      onActivity: () => {},
    })
    return store.tasks.update(id, { state: outcome.kind, verdict: outcome.summary, checks: outcome.checks })
  } finally {
    await sandbox.destroy()
  }
}

const replay = (home: Home, taskId: string, variables: { recorded: string; value: string }[] = []) =>
  replayFor({ kind: 'replay', taskId, variables, disagreement: 'stop' }, { ...home, readText })

test('the demo, exported, verified and imported on an empty home, replays to the same verdict', async () => {
  const here = await emptyHome()
  const first = await run(here, new ScriptPlanner(demo))
  expect(first.state, first.verdict ?? '').toBe('succeeded')
  const file = path.join(here.folder, 'demo.ghtrace')
  await exportBundle(here.store, here.frames, first.id, file)
  expect(await verifyBundle(file)).toMatchObject({
    ok: true,
    steps: first.stepCount || here.store.tasks.get(first.id)?.stepCount,
  })

  const there = await emptyHome()
  const { task } = await importBundle(file, there.store, there.frames)
  const planner = replay(there, task.id)
  const again = await run(there, planner)
  expect(again.state, again.verdict ?? '').toBe('succeeded')
  expect(again.verdict).toBe(first.verdict)
  expect(again.checks.map(({ assertion }) => assertion)).toEqual(first.checks.map(({ assertion }) => assertion))
  console.info(
    planner.report
      .map(({ index, outcome, share }) => `${index + 1} ${outcome} ${((share ?? 0) * 100).toFixed(1)} %`)
      .join(', '),
  )
})

/** Quits the editor by its menu: a click beside the menu would type a letter instead, and the editor would stay. */
const byMenu: ScriptInput = {
  goal: 'Quit the editor by its menu',
  steps: [
    {
      say: 'Open the editor.',
      do: [{ type: 'exec', command: 'DISPLAY=:0 setsid l3afpad >/dev/null 2>&1 & sleep 1; true' }],
      expect: [
        { check: 'process_running', name: 'l3afpad' },
        { check: 'window_active', title: '(Untitled)' },
      ],
    },
    {
      say: 'Put it in its place.',
      do: [{ type: 'exec', command: 'DISPLAY=:0 xdotool getactivewindow windowsize 600 400 windowmove 100 120' }],
    },
    {
      say: 'Open the File menu.',
      do: [{ type: 'click', at: { x: 125, y: 164 } }],
      expect: [{ check: 'screen_changed' }],
    },
    {
      say: 'Quit.',
      do: [{ type: 'key', chord: 'q' }],
      expect: [{ check: 'process_running', name: 'l3afpad', running: false }],
    },
  ],
  finish: [{ check: 'process_running', name: 'l3afpad', running: false }],
}

test('a window 40 pixels elsewhere is found again, and a missing app is named with the step', async () => {
  const home = await emptyHome()
  const recorded = await run(home, new ScriptPlanner(Script.parse(byMenu)))
  expect(recorded.state, recorded.verdict ?? '').toBe('succeeded')

  const moved = replay(home, recorded.id, [{ recorded: 'windowmove 100 120', value: 'windowmove 140 160' }])
  const again = await run(home, moved)
  expect(again.state, again.verdict ?? '').toBe('succeeded')
  expect(moved.report[2]).toMatchObject({ targets: [{ by: 'picture', at: { x: 165, y: 204 } }] })

  const missing = replay(home, recorded.id)
  const failed = await run(home, missing, (machine) => machine.exec('sudo mv /usr/bin/l3afpad /usr/bin/gone'))
  expect(failed.state).toBe('failed')
  expect(failed.verdict).toMatch(/^Step 1 of 5 \(Run DISPLAY=:0 setsid l3afpad.*l3afpad is not running/)
})
