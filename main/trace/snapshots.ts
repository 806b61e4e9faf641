import { z } from 'zod'
import { GodHandError } from '../contract/errors.ts'
import { Snapshot } from '../contract/machine.ts'
import { flag } from './columns.ts'
import type { ReadConnection, WriteConnection } from './connection.ts'

/** Known when the writing begins. */
const Begun = Snapshot.pick({
  id: true,
  parentId: true,
  machineId: true,
  taskId: true,
  label: true,
  image: true,
  pinned: true,
  createdAt: true,
})
export type NewSnapshot = z.infer<typeof Begun>
/** Known when all files are safely on disk. */
const Finished = Snapshot.pick({ templateKey: true, pauseMs: true, diskBytes: true, ramBytes: true, frame: true })
export type FinishedSnapshot = z.infer<typeof Finished>

export interface SnapshotReader {
  /** Only finished ones are seen. */
  get(id: string): Snapshot | null
  /** Newest first. */
  list(limit?: number): Snapshot[]
  children(id: string): Snapshot[]
  /** Taken while that task ran, oldest first. */
  ofTask(taskId: string): Snapshot[]
  /** When the oldest that is still being written was begun. */
  writingSince(): string | null
}

/**
 *  begin ──► writing ──► finish ──► ready ──► remove
 *               └──► discard
 */
export interface SnapshotWriter {
  /** Before the first byte is written. Its parent must be ready. */
  begin(snapshot: NewSnapshot): void
  finish(id: string, result: FinishedSnapshot): Snapshot
  /** The writing failed: forgets it. Nothing happens when it is finished or unknown. */
  discard(id: string): void
  label(id: string, label: string | null): Snapshot
  pin(id: string, pinned: boolean): Snapshot
  /** Throws while it is pinned, another snapshot stands on it or a living machine runs from it. Files go after the row. */
  remove(id: string): void
}

const SnapshotRow = Snapshot.extend({ pinned: flag })
const columns = `id, parent_id AS parentId, machine_id AS machineId, task_id AS taskId, label, image,
  template_key AS templateKey, pinned, created_at AS createdAt, pause_ms AS pauseMs, disk_bytes AS diskBytes,
  ram_bytes AS ramBytes, frame`
const ready = `SELECT ${columns} FROM snapshots WHERE state = 'ready'`

export function snapshotReader(connection: ReadConnection): SnapshotReader {
  return {
    get: (id) => connection.get(SnapshotRow, `${ready} AND id = :id`, { id }),
    list: (limit = -1) =>
      connection.all(SnapshotRow, `${ready} ORDER BY created_at DESC, id DESC LIMIT :limit`, { limit }),
    children: (id) => connection.all(SnapshotRow, `${ready} AND parent_id = :id ORDER BY created_at, id`, { id }),
    writingSince: () =>
      connection.get(
        z.object({ begun: z.string().nullable() }),
        `SELECT min(created_at) AS begun FROM snapshots WHERE state = 'writing'`,
      )?.begun ?? null,
    ofTask: (taskId) =>
      connection.all(SnapshotRow, `${ready} AND task_id = :taskId ORDER BY created_at, id`, { taskId }),
  }
}

export function snapshotWriter(connection: WriteConnection): SnapshotWriter {
  const reader = snapshotReader(connection)

  function existing(id: string): Snapshot {
    const snapshot = reader.get(id)
    if (!snapshot) throw new GodHandError('not_found', `There is no snapshot ${id}.`)
    return snapshot
  }

  return {
    begin(snapshot) {
      const row = Begun.parse(snapshot)
      connection.transaction(() => {
        if (row.parentId) existing(row.parentId)
        connection.run(
          `INSERT INTO snapshots (id, state, parent_id, machine_id, task_id, label, image, pinned, created_at)
           VALUES (:id, 'writing', :parentId, :machineId, :taskId, :label, :image, :pinned, :createdAt)`,
          { ...row, pinned: Number(row.pinned) },
        )
      })
    },
    finish: (id, result) =>
      connection.transaction(() => {
        const changed = connection.run(
          `UPDATE snapshots SET state = 'ready', template_key = :templateKey, pause_ms = :pauseMs,
             disk_bytes = :diskBytes, ram_bytes = :ramBytes, frame = :frame WHERE id = :id AND state = 'writing'`,
          { ...Finished.parse(result), id },
        )
        if (changed === 0) throw new GodHandError('conflict', `The snapshot ${id} is not being written.`)
        return existing(id)
      }),
    discard: (id) => {
      connection.run(`DELETE FROM snapshots WHERE id = :id AND state = 'writing'`, { id })
    },
    label: (id, label) =>
      connection.transaction(() => {
        connection.run('UPDATE snapshots SET label = :label WHERE id = :id', { id, label })
        return existing(id)
      }),
    pin: (id, pinned) =>
      connection.transaction(() => {
        connection.run('UPDATE snapshots SET pinned = :pinned WHERE id = :id', { id, pinned: Number(pinned) })
        return existing(id)
      }),
    remove: (id) =>
      connection.transaction(() => {
        const reason = whyKept(connection, existing(id))
        if (reason) throw new GodHandError('conflict', `The snapshot ${id} is kept: ${reason}.`)
        connection.run('DELETE FROM snapshots WHERE id = :id', { id })
      }),
  }
}

const Found = z.object({ id: z.string() })

function whyKept(connection: ReadConnection, { id, pinned }: Snapshot): string | null {
  if (pinned) return 'it is pinned'
  const child = connection.get(Found, 'SELECT id FROM snapshots WHERE parent_id = :id LIMIT 1', { id })
  if (child) return `the snapshot ${child.id} stands on it`
  const machine = connection.get(
    Found,
    `SELECT id FROM machines WHERE ended_at IS NULL AND (parent_snapshot = :id
       OR id IN (SELECT machine_id FROM sleeping_machines WHERE snapshot_id = :id)) LIMIT 1`,
    { id },
  )
  return machine && `the machine ${machine.id} runs from it`
}
