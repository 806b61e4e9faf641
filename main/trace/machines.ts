import { z } from 'zod'
import { Environment } from '../contract/environment.ts'
import { ErrorInfo, GodHandError } from '../contract/errors.ts'
import { AllowedHosts, Machine } from '../contract/machine.ts'
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
  bornOf: z.string().nullable(), // the snapshot it was resumed from, also when that is gone
  environment: Environment.nullable(), // null: its driver cannot say
})
export type MachineRecord = z.infer<typeof MachineRecord>

/** What a suspended machine needs, beside its snapshot, to be itself again. */
const Needs = Machine.pick({ memoryMb: true, cpus: true, screen: true, exec: true, startedInMs: true }).extend({
  allow: AllowedHosts,
})
export const SleepingMachine = Born.extend({ snapshotId: z.string(), needs: Needs })
export type SleepingMachine = z.infer<typeof SleepingMachine>

export interface MachineReader {
  get(id: string): MachineRecord | null
  /** Not ended as far as the store knows, oldest first. */
  alive(): MachineRecord[]
  ofTask(taskId: string): MachineRecord[]
  /** Suspended and not ended, oldest first. */
  sleeping(): SleepingMachine[]
}

export interface MachineWriter {
  /** Before its process is started, so that a crash in between leaves a trail. */
  insert(machine: NewMachine): void
  /** It is up: asleep no more, if it was. */
  setPid(id: string, pid: number | null): void
  /** From now on it outlives the engine. Before its process is ended. */
  fallAsleep(id: string, snapshotId: string, needs: SleepingMachine['needs']): void
  setEnvironment(id: string, environment: Environment): void
  /** The first end counts: ending it again changes nothing. */
  end(id: string, reason: ErrorInfo | null): void
}

const MachineRow = MachineRecord.extend({
  endReason: json(ErrorInfo).nullable(),
  environment: json(Environment).nullable(),
})
const SleepingRow = SleepingMachine.extend({ needs: json(Needs) })
const columns = `id, name, driver, image, pid, parent_snapshot AS parentSnapshot, task_id AS taskId,
  created_at AS createdAt, ended_at AS endedAt, end_reason AS endReason, born_of AS bornOf, environment`

export function machineReader(connection: ReadConnection): MachineReader {
  return {
    get: (id) => connection.get(MachineRow, `SELECT ${columns} FROM machines WHERE id = :id`, { id }),
    alive: () =>
      connection.all(MachineRow, `SELECT ${columns} FROM machines WHERE ended_at IS NULL ORDER BY created_at, id`),
    ofTask: (taskId) =>
      connection.all(MachineRow, `SELECT ${columns} FROM machines WHERE task_id = :taskId ORDER BY created_at, id`, {
        taskId,
      }),
    sleeping: () =>
      connection.all(
        SleepingRow,
        `SELECT ${columns}, snapshot_id AS snapshotId, needs FROM machines JOIN sleeping_machines ON machine_id = id
         WHERE ended_at IS NULL ORDER BY created_at, id`,
      ),
  }
}

export function machineWriter(connection: WriteConnection): MachineWriter {
  function known(changed: number, id: string): void {
    if (changed === 0) throw new GodHandError('not_found', `There is no machine ${id}.`)
  }

  const wake = (id: string) => connection.run('DELETE FROM sleeping_machines WHERE machine_id = :id', { id })

  return {
    insert: (machine) => {
      connection.run(
        `INSERT INTO machines (id, name, driver, image, pid, parent_snapshot, born_of, task_id, created_at)
         VALUES (:id, :name, :driver, :image, :pid, :parentSnapshot, :parentSnapshot, :taskId, :createdAt)`,
        Born.parse(machine),
      )
    },
    setPid: (id, pid) =>
      connection.transaction(() => {
        wake(id)
        known(connection.run('UPDATE machines SET pid = :pid WHERE id = :id', { id, pid }), id)
      }),
    fallAsleep: (id, snapshotId, needs) =>
      connection.transaction(() => {
        known(connection.run('UPDATE machines SET pid = NULL WHERE id = :id AND ended_at IS NULL', { id }), id)
        connection.run('REPLACE INTO sleeping_machines VALUES (:id, :snapshotId, :needs)', {
          id,
          snapshotId,
          needs: JSON.stringify(Needs.parse(needs)),
        })
      }),
    setEnvironment: (id, environment) => {
      const made = JSON.stringify(Environment.parse(environment))
      known(connection.run('UPDATE machines SET environment = :made WHERE id = :id', { id, made }), id)
    },
    end: (id, reason) => {
      wake(id)
      const ended = connection.run(
        `UPDATE machines SET end_reason = CASE WHEN ended_at IS NULL THEN :reason ELSE end_reason END,
           ended_at = coalesce(ended_at, :now) WHERE id = :id`,
        { id, now: new Date().toISOString(), reason: reason && JSON.stringify(ErrorInfo.parse(reason)) },
      )
      known(ended, id)
    },
  }
}
