import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Engine } from '../engine.ts'
import { silentLog } from '../log.ts'
import { currentPaths, pathsIn } from '../paths.ts'
import { openTestDriver, type TestDriver } from '../sandbox/qemu/testing.ts'
import { openEngine } from './engine.ts'

const LOOP = path.join(import.meta.dirname, 'testing-snapshot-loop.ts')
const CHAIN = 30
const KILLS = 5
/** Of those kept between kills, how many are booted beside the last before each kill; all are checked byte for byte. */
const BOOTED = 8

/** What was kept, by what the machine itself says after it is back: of its disk and of its memory. */
async function numbersIn(engine: Engine, snapshotId: string): Promise<string> {
  const { id: machineId } = await engine.call('vm.restore', { snapshotId })
  const { stdout, stderr } = await engine.call('vm.exec', { machineId, command: 'cat ~/number /dev/shm/number' })
  await engine.call('vm.destroy', { machineId })
  return stdout + stderr
}

const both = (number: number) => `${number}\n${number}\n`

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

describe(`${CHAIN} snapshots in a chain`, () => {
  let test: TestDriver
  let engine: Engine
  beforeAll(async () => {
    test = await openTestDriver()
    await test.driver.prepare('desktop', () => {})
    engine = await openEngine({ paths: test.paths, log: silentLog, driver: test.driver })
  })
  afterAll(async () => {
    await engine.close()
    await test.close()
  })

  it('come back in any order, each as it was when it was taken', async () => {
    const { id: machineId } = await engine.call('vm.create', {})
    const kept: { id: string; number: number }[] = []
    for (let number = 1; number <= CHAIN; number++) {
      await engine.call('vm.exec', { machineId, command: `echo ${number} > ~/number; cp ~/number /dev/shm/number` })
      const { id, parentId } = await engine.call('vm.snapshot', { machineId })
      expect(parentId).toBe(kept.at(-1)?.id ?? null)
      kept.push({ id, number })
    }
    await engine.call('vm.destroy', { machineId })
    for (const { id, number } of shuffled(kept))
      expect(await numbersIn(engine, id), `snapshot ${number}`).toBe(both(number))
  })
})

describe('an engine that is killed while it takes snapshots', () => {
  const Report = z.object({ id: z.string(), number: z.number() })
  type Report = z.infer<typeof Report>
  let home: string
  let child: ChildProcess | null = null
  beforeAll(async () => {
    home = await fs.mkdtemp(path.join(os.tmpdir(), 'gh-kill-'))
  })
  afterEach(() => child?.kill('SIGKILL'))
  afterAll(() => fs.rm(home, { recursive: true, force: true }))

  /** Runs the loop until it has kept something, and then to a moment nobody chose. */
  async function runAndKill(): Promise<Report[]> {
    const { assets } = currentPaths()
    const running = spawn(process.execPath, [LOOP], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, GODHAND_HOME: home, GODHAND_ASSETS: assets },
    })
    child = running
    const ended = new Promise<NodeJS.Signals | null>((resolve) => running.once('exit', (_code, by) => resolve(by)))
    const reports: Report[] = []
    const lines = readline.createInterface({ input: running.stdout })
    const first = new Promise<void>((resolve) =>
      lines.on('line', (line) => {
        reports.push(Report.parse(JSON.parse(line)))
        resolve()
      }),
    )
    const allRead = new Promise<void>((resolve) => lines.once('close', () => resolve()))
    await Promise.race([first, ended])
    await delay(Math.random() * 2500)
    running.kill('SIGKILL')
    expect(await ended).toBe('SIGKILL')
    await allRead
    return reports
  }

  it('loses none that it had said were kept', async () => {
    const runs: Report[][] = []
    for (let kill = 0; kill < KILLS; kill++) runs.push(await runAndKill())
    const reported = runs.flat()
    const paths = pathsIn(home, currentPaths().assets)
    const engine = await openEngine({ paths, log: silentLog })
    try {
      const listed = await engine.call('snapshot.list', {})
      expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(reported.map(({ id }) => id)))
      expect((await fs.readdir(paths.snapshots)).sort()).toEqual(listed.map(({ id }) => id).sort())
      for (const { id } of listed) await engine.call('snapshot.verify', { snapshotId: id })
      /** The last before a kill, and what was kept when there was no time left to say so. */
      const isNearKill = ({ id }: { id: string }) =>
        runs.some((run) => run.at(-1)?.id === id) || !reported.some((report) => report.id === id)
      const others = listed.filter((snapshot) => !isNearKill(snapshot))
      for (const { id, label } of [...listed.filter(isNearKill), ...shuffled(others).slice(0, BOOTED)])
        expect(await numbersIn(engine, id), `snapshot ${label}`).toBe(both(Number(label)))
    } finally {
      await engine.close()
    }
  })
})
