import { spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { silentLog } from '../log.ts'
import { pathsIn } from '../paths.ts'
import { FakeDriver } from '../sandbox/fake/driver.ts'
import { openEngine } from './engine.ts'

const LOOP = path.join(import.meta.dirname, 'testing-store-loop.ts')
const KILLS = Number(process.env.GODHAND_KILLS ?? 5)
const Report = z.object({ id: z.string(), frame: z.string() })
type Report = z.infer<typeof Report>

let home: string
beforeAll(async () => {
  home = await fs.mkdtemp(path.join(os.tmpdir(), 'gh-crash-'))
  for (const place of ['here', 'there']) await fs.mkdir(path.join(home, place))
})
afterAll(() => fs.rm(home, { recursive: true, force: true }))

/** To a moment nobody chose, after it has kept at least one. */
async function runAndKill(): Promise<Report[]> {
  const env = { ...process.env, GODHAND_HOME: home, GODHAND_ASSETS: home }
  const running = spawn(process.execPath, [LOOP], { stdio: ['ignore', 'pipe', 'inherit'], env })
  const reports: Report[] = []
  const lines = readline.createInterface({ input: running.stdout })
  const ended = new Promise<NodeJS.Signals | null>((resolve) => running.once('exit', (_code, by) => resolve(by)))
  const read = new Promise<void>((resolve) => lines.once('close', resolve))
  const first = new Promise<void>((resolve) =>
    lines.on('line', (line) => {
      reports.push(Report.parse(JSON.parse(line)))
      resolve()
    }),
  )
  await Promise.race([first, ended])
  await delay(Math.random() * 400)
  running.kill('SIGKILL')
  expect(await ended).toBe('SIGKILL')
  await read
  return reports
}

it('a store killed while it keeps, forks, collects and moves opens again, and nothing finished is lost', async () => {
  const kept: Report[] = []
  for (let kill = 0; kill < KILLS; kill++) kept.push(...(await runAndKill()))
  const paths = pathsIn(home)
  const engine = await openEngine({ paths, log: silentLog, driver: new FakeDriver() })
  try {
    const listed = await engine.call('snapshot.list', {})
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(kept.map(({ id }) => id)))
    const folders = await Promise.all(['here', 'there'].map((place) => snapshotsIn(path.join(home, place))))
    const inPlace = [...folders.flat(), ...(await snapshotsIn(home, 'snapshots'))]
    expect(inPlace.sort()).toEqual(listed.map(({ id }) => id).sort())
    for (const { id, frame } of kept) {
      const { id: machineId } = await engine.call('vm.restore', { snapshotId: id })
      expect((await engine.call('vm.screenshot', { machineId })).frame).toBe(frame)
      await engine.call('vm.destroy', { machineId })
    }
  } finally {
    await engine.close()
  }
}, 240_000)

const snapshotsIn = (folder: string, name = 'godhand-snapshots') => fs.readdir(path.join(folder, name)).catch(() => [])
