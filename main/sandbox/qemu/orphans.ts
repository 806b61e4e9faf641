import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Paths } from '../../paths.ts'

const PROCESS_FILE = 'machine.json'
const ProcessFile = z.object({ pid: z.number().int() })

/** Notes a machine's process beside its disk, so that a later engine can find what this one may leave behind. */
export async function rememberProcess(folder: string, pid: number): Promise<void> {
  await fs.writeFile(path.join(folder, PROCESS_FILE), JSON.stringify({ pid }))
}

/** Ends machines whose engine is gone, removes what they left, and returns their ids. */
export async function removeOrphans(paths: Paths): Promise<string[]> {
  const ids = await fs.readdir(paths.machines).catch(() => [])
  const removed: string[] = []
  for (const id of ids) {
    const folder = path.join(paths.machines, id)
    if (!(await fs.stat(folder)).isDirectory()) continue
    const pid = await fs
      .readFile(path.join(folder, PROCESS_FILE), 'utf8')
      .then((text) => ProcessFile.parse(JSON.parse(text)).pid)
      .catch(() => null)
    if (pid !== null && (await isOurs(pid, folder))) {
      process.kill(pid, 'SIGKILL')
      await ended(pid)
    }
    await fs.rm(folder, { recursive: true, force: true })
    removed.push(id)
  }
  await fs.rm(paths.sockets, { recursive: true, force: true })
  return removed
}

/** A pid alone may meanwhile belong to somebody else's process: the command line must name this machine's folder. */
async function isOurs(pid: number, folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return isAlive(pid)
  const commandLine = await fs.readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return commandLine.includes(folder)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function ended(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve))
}
