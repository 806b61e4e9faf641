import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { silentLog } from '../log.ts'
import { pathsIn } from '../paths.ts'
import { FakeDriver } from '../sandbox/fake/driver.ts'
import { openEngine } from './engine.ts'

test('after kill -9 in the middle of a tournament the tree opens, and nothing in it still runs', async () => {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'gh-crash-'))
  const script = fileURLToPath(new URL('testing-tournament.ts', import.meta.url))
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, GODHAND_HOME: home, GODHAND_DRIVER: 'fake' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const taskId: string = await new Promise((resolve) => createInterface(child.stdout).once('line', resolve))
  child.kill('SIGKILL')
  await once(child, 'close')

  const engine = await openEngine({ paths: pathsIn(home), log: silentLog, driver: new FakeDriver() })
  const { task } = await engine.call('task.get', { taskId })
  expect(task.state).toBe('interrupted')
  const tree = await engine.call('lineage.get', { taskId })
  expect(tree.branches.map(({ state, won }) => ({ state, won }))).toEqual(
    Array.from({ length: 3 }, () => ({ state: 'interrupted', won: false })),
  )
  expect(tree.machines).toHaveLength(4)
  expect(tree.machines.every(({ endedAt }) => endedAt !== null)).toBe(true)
  expect(tree.snapshots.map(({ id }) => id)).toEqual([tree.branches[0]?.fromSnapshot])
  expect(await engine.call('vm.list', {})).toEqual([])
  await engine.close()
  await fs.rm(home, { recursive: true, force: true })
}, 60_000)
