import fs from 'node:fs/promises'
import path from 'node:path'
import { GodHandError } from '../contract/errors.ts'
import type { Paths } from '../paths.ts'
import type { Store } from '../trace/store.ts'

/** Where the snapshots lie, when a person has moved them. */
const PLACE = 'snapshots.folder'
/** A copy under way: until it is the place, it is nothing. */
const MOVING_TO = 'snapshots.movingTo'
/** The place before: nothing any more, but perhaps not yet removed. */
const LEFT = 'snapshots.left'
/** Inside the folder a person names, so that what else lies there is never touched. */
const OWN_FOLDER = 'godhand-snapshots'

/** Puts an interrupted move in order and makes `paths` tell where snapshots are. Returns what the person should know. */
export async function findSnapshots(store: Store, paths: Paths): Promise<string[]> {
  const half = store.meta.get(MOVING_TO)
  if (half) await removeSnapshotsIn(half)
  store.meta.remove(MOVING_TO)
  const place = store.meta.get(PLACE)
  if (!place) return []
  paths.snapshots = place
  const there = await fs.stat(place).catch(() => null)
  if (!there) return [`The folder of the snapshots, ${place}, is not there. Is its disk connected?`]
  const left = store.meta.get(LEFT)
  if (left) await removeSnapshotsIn(left)
  store.meta.remove(LEFT)
  return []
}

/**
 * Copies, makes the copy durable, says so in one transaction, then removes the old place. Whatever ends the engine on
 * the way, one place is whole and known. `inUse` says what stands in the way, or null.
 */
export async function moveSnapshots(
  store: Store,
  paths: Paths,
  folder: string,
  inUse: () => string | null,
): Promise<string> {
  const from = paths.snapshots
  const to = path.join(folder, OWN_FOLDER)
  const known = () => store.snapshots.list().map(({ id }) => id)
  if (!path.isAbsolute(folder)) throw new GodHandError('bad_request', `${folder} is not a full path.`)
  if (to === from) throw new GodHandError('conflict', `The snapshots are in ${folder} already.`)
  if (`${to}${path.sep}`.startsWith(`${from}${path.sep}`))
    throw new GodHandError('bad_request', 'The snapshots cannot be moved into their own folder.')
  refuseWhile(inUse())
  if ((await fs.readdir(to).catch(() => [])).length > 0)
    throw new GodHandError('conflict', `${to} is not empty.`, { hint: 'Name another folder, or empty it first.' })

  store.meta.set(MOVING_TO, to)
  try {
    const copied = known()
    await fs.mkdir(to, { recursive: true, mode: 0o700 })
    for (const id of copied) await copyDurably(path.join(from, id), path.join(to, id))
    await sync(to)
    // From here to the end of the transaction nothing else can happen in this engine.
    refuseWhile(inUse() ?? (known().join() === copied.join() ? null : 'a snapshot was taken meanwhile'))
    store.transaction(() => {
      store.meta.set(PLACE, to)
      store.meta.set(LEFT, from)
      store.meta.remove(MOVING_TO)
    })
    paths.snapshots = to
  } catch (error) {
    await removeSnapshotsIn(to)
    store.meta.remove(MOVING_TO)
    throw error
  }
  await removeSnapshotsIn(from)
  store.meta.remove(LEFT)
  return to
}

function refuseWhile(obstacle: string | null): void {
  if (obstacle)
    throw new GodHandError('conflict', `The snapshots cannot be moved now: ${obstacle}.`, {
      hint: 'End the machines (godhand vm list), then move.',
    })
}

async function copyDurably(from: string, to: string): Promise<void> {
  await fs.mkdir(to, { mode: 0o700 })
  for (const name of await fs.readdir(from)) {
    await fs.copyFile(path.join(from, name), path.join(to, name), fs.constants.COPYFILE_FICLONE)
    await sync(path.join(to, name))
  }
  await sync(to)
}

async function sync(file: string): Promise<void> {
  const handle = await fs.open(file, 'r')
  await handle.sync().finally(() => handle.close())
}

export const isSnapshotName = (name: string) => name.startsWith('snap_')

async function removeSnapshotsIn(folder: string): Promise<void> {
  const names = await fs.readdir(folder).catch(() => [])
  for (const name of names.filter(isSnapshotName))
    await fs.rm(path.join(folder, name), { recursive: true, force: true })
  await fs.rmdir(folder).catch(() => {}) // something else lies there, or it is gone
}
