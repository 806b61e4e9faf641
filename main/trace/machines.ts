import type { z } from 'zod'
import { ErrorInfo, GodHandError } from '../contract/errors.ts'
import { Machine } from '../contract/machine.ts'
import { json } from './columns.ts'
import type { ReadConnection, WriteConnection } from './connection.ts'

/** What is remembered of a machine after it is gone. */
const Born = Machine.pick({
  id: true,
  name: true,
  driver: true,
  image: true,
  pid: true,
  parentSnapshot: true,
  taskId: true,
  createdAt: true,
})
export type NewMachine = z.infer<typeof Born>
export const MachineRecord = Born.extend({
  endedAt: Machine.shape.createdAt.nullable(),
  endReason: ErrorInfo.nullable(), // null while it lives, and when the end was asked for
})
export type MachineRecord = z.infer<typeof MachineRecord>

export interface MachineReader {
  get(id: string): MachineRecord | null
  /** Not ended as far as the store knows, oldest first. */
  alive(): MachineRecord[]
  ofTask(taskId: string): MachineRecord[]
}

export interface MachineWriter {
  /** Before its process is started, so that a crash in between leaves a trail. */
  insert(machine: NewMachine): void
  setPid(id: string, pid: number): void
  /** The first end counts: ending it again changes nothing. */
  end(id: string, reason: ErrorInfo | null): void
}

const MachineRow = MachineRecord.extend({ endReason: json(ErrorInfo).nullable() })
const columns = `id, name, driver, image, pid, parent_snapshot AS parentSnapshot, task_id AS taskId,
  created_at AS createdAt, ended_at AS endedAt, end_reason AS endReason`

export function machineReader(connection: ReadConnection): MachineReader {
  return {
    get: (id) => connection.get(MachineRow, `SELECT ${columns} FROM machines WHERE id = :id`, { id }),
    alive: () =>
      connection.all(MachineRow, `SELECT ${columns} FROM machines WHERE ended_at IS NULL ORDER BY created_at, id`),
    ofTask: (taskId) =>
      connection.all(MachineRow, `SELECT ${columns} FROM machines WHERE task_id = :taskId ORDER BY created_at, id`, {
        taskId,
      }),
  }
}

export function machineWriter(connection: WriteConnection): MachineWriter {
  function known(changed: number, id: string): void {
    if (changed === 0) throw new GodHandError('not_found', `There is no machine ${id}.`)
  }

  return {
    insert: (machine) => {
      connection.run(
        `INSERT INTO machines (id, name, driver, image, pid, parent_snapshot, task_id, created_at)
         VALUES (:id, :name, :driver, :image, :pid, :parentSnapshot, :taskId, :createdAt)`,
        Born.parse(machine),
      )
    },
    setPid: (id, pid) => known(connection.run('UPDATE machines SET pid = :pid WHERE id = :id', { id, pid }), id),
    end: (id, reason) => {
      const ended = connection.run(
        `UPDATE machines SET end_reason = CASE WHEN ended_at IS NULL THEN :reason ELSE end_reason END,
           ended_at = coalesce(ended_at, :now) WHERE id = :id`,
        { id, now: new Date().toISOString(), reason: reason && JSON.stringify(ErrorInfo.parse(reason)) },
      )
      known(ended, id)
    },
  }
}
