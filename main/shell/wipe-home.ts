import fs from 'node:fs/promises'
import path from 'node:path'
import { type Paths, pathsIn } from '../paths.ts'

/**
 * Erases what a person made here: tasks, traces, snapshots, secrets, keys, settings, logs. What machines are made of
 * stays, because it holds nothing of theirs and takes minutes to fetch; so do the locks of the running engine.
 */
export async function wipeHome(paths: Paths): Promise<void> {
  const kept = [
    paths.engineLock,
    paths.door,
    paths.sockets,
    paths.qemu,
    paths.images,
    paths.cache,
    paths.ssh,
    paths.templates,
    paths.accelerator,
    paths.logs, // the running engine writes there; its lines go instead
  ]
  const home = pathsIn(paths.home)
  if (paths.snapshots !== home.snapshots) {
    await fs.rm(paths.snapshots, { recursive: true, force: true }) // moved elsewhere, into a folder of our own
    paths.snapshots = home.snapshots
  }
  for (const name of await fs.readdir(paths.home)) {
    const found = path.join(paths.home, name)
    if (!kept.includes(found)) await fs.rm(found, { recursive: true, force: true })
  }
  for (const name of await fs.readdir(paths.logs).catch(() => [])) await fs.truncate(path.join(paths.logs, name))
}
