import type Database from 'better-sqlite3'
import { z } from 'zod'
import { CheckedAssertion } from '../contract/assertion.ts'
import { ErrorInfo } from '../contract/errors.ts'
import { Step, Task } from '../contract/task.ts'
import { rememberApps } from './apps.ts'
import { json } from './columns.ts'
import type { WriteConnection } from './connection.ts'
import { stepWords, taskWords, type Words } from './search-words.ts'

/** Keeps the words of tasks and steps beside them, in the same transaction. */

type WordsOf = { taskId: string; index: number | null } & Words

const write = `INSERT INTO search_documents (task_id, step_index, said, did, found)
  VALUES (:taskId, :index, :said, :did, :found)
  ON CONFLICT (task_id, coalesce(step_index, -1))
    DO UPDATE SET said = excluded.said, did = excluded.did, found = excluded.found
    WHERE said <> excluded.said OR did <> excluded.did OR found <> excluded.found`

export function indexTask(connection: WriteConnection, task: Task): void {
  const words: WordsOf = { taskId: task.id, index: null, ...taskWords(task) }
  connection.run(write, words)
}

export function indexStep(connection: WriteConnection, step: Step): void {
  const words: WordsOf = { taskId: step.taskId, index: step.index, ...stepWords(step) }
  connection.run(write, words)
  rememberApps(connection, step)
}

const TaskRow = Task.pick({ id: true, goal: true, planner: true, image: true, verdict: true }).extend({
  error: json(ErrorInfo).nullable(),
  checks: json(z.array(CheckedAssertion)),
})
const StepRow = Step.pick({ taskId: true, index: true, thought: true }).extend({
  actions: json(Step.shape.actions),
  checks: json(Step.shape.checks),
})

/** For a database that has rows from before there was an index. What cannot be read is left out, not fatal. */
export function indexEverything(database: Database.Database): void {
  const insert = database.prepare<[WordsOf]>(write)
  for (const row of database.prepare('SELECT id, goal, planner, image, verdict, error, checks FROM tasks').all()) {
    const task = TaskRow.safeParse(row)
    if (task.success) insert.run({ taskId: task.data.id, index: null, ...taskWords(task.data) })
  }
  const ids = database.prepare('SELECT id FROM steps ORDER BY id').pluck().all()
  const one = database.prepare(
    'SELECT task_id AS taskId, step_index AS "index", thought, actions, checks FROM steps WHERE id = ?',
  )
  for (const id of ids) {
    const step = StepRow.safeParse(one.get(id))
    if (step.success) insert.run({ taskId: step.data.taskId, index: step.data.index, ...stepWords(step.data) })
  }
}
