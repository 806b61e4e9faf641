import { z } from 'zod'
import { LineageStep } from '../contract/branching.ts'
import { GodHandError } from '../contract/errors.ts'
import { Step } from '../contract/task.ts'
import { json, orNothing } from './columns.ts'
import type { ReadConnection, WriteConnection } from './connection.ts'
import { type FrameRecord, frameWriter, linkFrame, linkFrames } from './frames.ts'
import { indexStep } from './search-index.ts'

export interface StepReader {
  get(taskId: string, index: number): Step | null
  /** In order. A long trace is read in pages: `from` is the first index wanted. */
  list(taskId: string, page?: { from?: number; limit?: number }): Step[]
  /** Where each stands in the tree, without all that was done in it: quick for thousands. */
  places(taskId: string): z.infer<typeof LineageStep>[]
  /** The snapshots taken at the end of steps, by the step's index, also those that are gone. */
  kept(taskId: string): Map<number, string>
}

export interface StepWriter {
  /** The whole step in one transaction, with the frames it made. Its index is the number of steps there were before. */
  append(step: Step, frames?: readonly FrameRecord[], keptAfter?: string | null): void
}

const StepRow = Step.extend({
  actions: json(Step.shape.actions),
  settle: json(Step.shape.settle.unwrap()).nullable(),
  checks: json(Step.shape.checks),
  timing: json(Step.shape.timing),
  branchId: orNothing(Step.shape.branchId.unwrap()),
  machineId: orNothing(Step.shape.machineId.unwrap()),
  by: orNothing(Step.shape.by.unwrap()),
  usage: orNothing(json(Step.shape.usage.unwrap())),
  notices: orNothing(json(Step.shape.notices.unwrap())),
  dialogue: orNothing(json(Step.shape.dialogue.unwrap())),
  compared: orNothing(json(Step.shape.compared.unwrap())),
})
const Kept = z.object({ index: z.number().int(), id: z.string() })
const Count = z.object({ count: z.number().int() })

const columns = `task_id AS taskId, step_index AS "index", thought, actions, before_frame AS "before",
  after_frame AS "after", settle, checks, verdict, snapshot_before AS snapshotBefore, snapshot_after AS snapshotAfter,
  started_at AS startedAt, timing, done_by AS "by", usage, notices, dialogue, compared,
  branch_id AS branchId, machine_id AS machineId`

export function stepReader(connection: ReadConnection): StepReader {
  return {
    get: (taskId, index) =>
      connection.get(StepRow, `SELECT ${columns} FROM steps WHERE task_id = :taskId AND step_index = :index`, {
        taskId,
        index,
      }),
    list: (taskId, { from = 0, limit = -1 } = {}) =>
      connection.all(
        StepRow,
        `SELECT ${columns} FROM steps WHERE task_id = :taskId AND step_index >= :from
           ORDER BY step_index LIMIT :limit`,
        { taskId, from, limit },
      ),
    places: (taskId) =>
      connection.all(
        LineageStep,
        `SELECT step_index AS "index", branch_id AS branchId, machine_id AS machineId, verdict, thought,
           snapshot_before AS snapshotBefore, snapshot_after AS snapshotAfter
           FROM steps WHERE task_id = :taskId ORDER BY step_index`,
        { taskId },
      ),
    kept: (taskId) =>
      new Map(
        connection
          .all(
            Kept,
            'SELECT step_index AS "index", kept_after AS id FROM steps WHERE task_id = :taskId AND kept_after IS NOT NULL',
            { taskId },
          )
          .map(({ index, id }) => [index, id]),
      ),
  }
}

export function stepWriter(connection: WriteConnection): StepWriter {
  const frameRows = frameWriter(connection)

  return {
    append(step, frames = [], keptAfter = step.snapshotAfter) {
      const row = { ...encoded(step), keptAfter }
      const { taskId } = row
      connection.transaction(() => {
        const before = connection.get(Count, 'SELECT step_count AS count FROM tasks WHERE id = :taskId', { taskId })
        if (!before) throw new GodHandError('not_found', `There is no task ${taskId}.`)
        if (before.count !== row.index)
          throw new GodHandError('conflict', `The next step of ${taskId} is ${before.count}, not ${row.index}.`)
        connection.run(
          `INSERT INTO steps (task_id, step_index, thought, actions, before_frame, after_frame, settle, checks, verdict,
             snapshot_before, snapshot_after, kept_after, started_at, timing, done_by, usage, notices, dialogue, compared,
             branch_id, machine_id)
           VALUES (:taskId, :index, :thought, :actions, :before, :after, :settle, :checks, :verdict, :snapshotBefore,
             :snapshotAfter, :keptAfter, :startedAt, :timing, :by, :usage, :notices, :dialogue, :compared, :branchId, :machineId)`,
          row,
        )
        connection.run('UPDATE tasks SET step_count = step_count + 1 WHERE id = :taskId', { taskId })
        for (const frame of frames) frameRows.insert(frame)
        for (const hash of [row.before, row.after]) if (hash) linkFrame(connection, taskId, hash)
        linkFrames(connection, taskId, row.actions)
        linkFrames(connection, taskId, row.checks)
        indexStep(connection, step)
      })
    },
  }
}

/** Parsed before it is written: NaN, for one, would become null in JSON and could not be read back. */
function encoded(step: Step) {
  const row = Step.parse(step)
  return {
    ...row,
    actions: JSON.stringify(row.actions),
    settle: row.settle && JSON.stringify(row.settle),
    checks: JSON.stringify(row.checks),
    timing: JSON.stringify(row.timing),
    branchId: row.branchId ?? null,
    machineId: row.machineId ?? null,
    by: row.by ?? null,
    usage: row.usage ? JSON.stringify(row.usage) : null,
    notices: row.notices ? JSON.stringify(row.notices) : null,
    dialogue: row.dialogue ? JSON.stringify(row.dialogue) : null,
    compared: row.compared ? JSON.stringify(row.compared) : null,
  }
}
