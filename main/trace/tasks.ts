import { z } from 'zod'
import { CheckedAssertion } from '../contract/assertion.ts'
import { ErrorInfo, GodHandError } from '../contract/errors.ts'
import { RunTask, Task } from '../contract/task.ts'
import { json } from './columns.ts'
import type { ReadConnection, WriteConnection } from './connection.ts'
import { linkFrames } from './frames.ts'
import { indexTask } from './search-index.ts'
import { hasEnded, nextTaskState } from './task-state.ts'

export type TaskChanges = Partial<Omit<Task, 'id' | 'goal' | 'image' | 'planner' | 'createdAt' | 'stepCount'>>

export interface TaskReader {
  get(id: string): Task | null
  /** Newest first. */
  list(limit?: number): Task[]
  /** Queued, preparing or running, oldest first. */
  unfinished(): Task[]
  /** What was asked for, word for word, so that it can be run again. Null when nobody recorded it. */
  request(id: string): RunTask | null
}

export interface TaskWriter {
  insert(task: Task, request?: RunTask): void
  /** Throws when the state cannot follow the present one. Start and end times are filled in where the change lacks them. */
  update(id: string, changes: TaskChanges): Task
  /** With its steps, tags and words. Throws while it runs. Its snapshots stay, its frames are for the caller. */
  remove(id: string): void
}

const TaskRow = Task.extend({ error: json(ErrorInfo).nullable(), checks: json(z.array(CheckedAssertion)) })
const RequestRow = z.object({ request: json(RunTask).nullable() })

const columns = `id, goal, image, planner, state, machine_id AS machineId, verdict, error, checks,
  step_count AS stepCount, created_at AS createdAt, started_at AS startedAt, ended_at AS endedAt`

export function taskReader(connection: ReadConnection): TaskReader {
  return {
    get: (id) => connection.get(TaskRow, `SELECT ${columns} FROM tasks WHERE id = :id`, { id }),
    list: (limit = 200) =>
      connection.all(TaskRow, `SELECT ${columns} FROM tasks ORDER BY created_at DESC, id DESC LIMIT :limit`, { limit }),
    unfinished: () =>
      connection.all(
        TaskRow,
        `SELECT ${columns} FROM tasks WHERE state IN ('queued', 'preparing', 'running') ORDER BY created_at, id`,
      ),
    request: (id) => connection.get(RequestRow, 'SELECT request FROM tasks WHERE id = :id', { id })?.request ?? null,
  }
}

export function taskWriter(connection: WriteConnection): TaskWriter {
  const reader = taskReader(connection)

  return {
    insert(task, request) {
      if (task.stepCount !== 0) throw new GodHandError('bad_request', 'A new task has no steps yet.')
      const row = encoded(task)
      connection.transaction(() => {
        connection.run(
          `INSERT INTO tasks (id, goal, image, planner, request, state, machine_id, verdict, error, checks, created_at,
             started_at, ended_at)
           VALUES (:id, :goal, :image, :planner, :request, :state, :machineId, :verdict, :error, :checks, :createdAt,
             :startedAt, :endedAt)`,
          { ...row, request: request ? JSON.stringify(RunTask.parse(request)) : null },
        )
        linkFrames(connection, task.id, row.checks)
        indexTask(connection, task)
      })
    },

    update: (id, changes) =>
      connection.transaction(() => {
        const current = reader.get(id)
        if (!current) throw new GodHandError('not_found', `There is no task ${id}.`)
        const task = { ...current, ...changes }
        if (changes.state !== undefined) {
          task.state = nextTaskState(current.state, changes.state)
          const now = new Date().toISOString()
          if (task.state === 'preparing') task.startedAt ??= now
          if (hasEnded(task.state)) task.endedAt ??= now
        }
        const row = encoded(task)
        connection.run(
          `UPDATE tasks SET state = :state, machine_id = :machineId, verdict = :verdict, error = :error,
             checks = :checks, started_at = :startedAt, ended_at = :endedAt WHERE id = :id`,
          row,
        )
        if (changes.checks) linkFrames(connection, id, row.checks)
        if (changes.checks || changes.verdict || changes.error) indexTask(connection, task)
        return task
      }),

    remove: (id) =>
      connection.transaction(() => {
        const task = reader.get(id)
        if (!task) throw new GodHandError('not_found', `There is no trace ${id}.`)
        if (!hasEnded(task.state))
          throw new GodHandError('conflict', `The task ${id} is still ${task.state}.`, { hint: 'Stop it first.' })
        connection.run('DELETE FROM tasks WHERE id = :id', { id })
      }),
  }
}

/** Parsed before it is written: what is in the store can always be read back. */
function encoded(task: Task) {
  const { stepCount, waitingFor, hold, ...row } = Task.parse(task)
  return { ...row, error: row.error && JSON.stringify(row.error), checks: JSON.stringify(row.checks) }
}
