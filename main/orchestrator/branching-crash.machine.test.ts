import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { silentLog } from '../log.ts'
import { currentPaths, pathsIn } from '../paths.ts'
import { openEngine } from './engine.ts'

/** Processes of this host that name the folder: machines carry it on their command lines. */
async function processesOf(home: string): Promise<string[]> {
  const pids = (await fs.readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map((pid) => fs.readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes('qemu') && line.includes(home))
}

it.skipIf(process.platform !== 'linux')(
  'after kill -9 in the middle of a tournament no machine runs on, the tree is sound, and its snapshot still boots',
  async () => {
    const home = await fs.mkdtemp(path.join(os.tmpdir(), 'gh-'))
    const { assets } = currentPaths()
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'testing-tournament.ts')], {
      env: { ...process.env, GODHAND_HOME: home, GODHAND_ASSETS: assets, GODHAND_DRIVER: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const taskId: string = await new Promise((resolve) => createInterface(child.stdout).once('line', resolve))
    expect((await processesOf(home)).length).toBeGreaterThanOrEqual(4) // the task's own and three branches
    child.kill('SIGKILL')
    await once(child, 'close')
    await expect.poll(() => processesOf(home), { timeout: 30_000 }).toEqual([]) // the kernel ends them with their engine

    const engine = await openEngine({ paths: pathsIn(home, assets), log: silentLog })
    try {
      const tree = await engine.call('lineage.get', { taskId })
      expect(tree.branches.map(({ state, won }) => `${state} ${won}`)).toEqual(Array(3).fill('interrupted false'))
      expect(tree.machines.filter(({ endedAt }) => endedAt === null)).toEqual([])
      const [snapshotId = ''] = tree.snapshots.map(({ id }) => id)
      expect(tree.branches.map(({ fromSnapshot }) => fromSnapshot)).toEqual(Array(3).fill(snapshotId))
      await engine.call('snapshot.verify', { snapshotId })
      const { id: machineId } = await engine.call('vm.restore', { snapshotId })
      const { stdout } = await engine.call('vm.exec', { machineId, command: 'echo alive' })
      expect(stdout.trim()).toBe('alive')
    } finally {
      await engine.close()
      await fs.rm(home, { recursive: true, force: true })
    }
  },
  240_000,
)
