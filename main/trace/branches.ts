import { Branch } from '../contract/branching.ts'
import { GodHandError } from '../contract/errors.ts'
import { flag, json } from './columns.ts'
import type { ReadConnection, WriteConnection } from './connection.ts'
import { linkFrame } from './frames.ts'

export type BranchChanges = Partial<
  Omit<Branch, 'id' | 'taskId' | 'decisionId' | 'parentId' | 'option' | 'plan' | 'createdAt'>
>

export interface BranchReader {
  get(id: string): Branch | null
  /** Oldest first. */
  ofTask(taskId: string): Branch[]
}

export interface BranchWriter {
  insert(branch: Branch): void
  update(id: string, changes: BranchChanges): Branch
  /** After a crash, and when the task ends: those that had not ended have now. */
  interrupt(taskId?: string): void
}

const inEvidence = {
  reasons: true,
  checks: true,
  changes: true,
  wanted: true,
  unwanted: true,
  diff: true,
  cost: true,
  files: true,
} as const
const Evidence = Branch.pick(inEvidence)
const Row = Branch.omit(inEvidence)
  .extend({ won: flag, evidence: json(Evidence) })
  .transform(({ evidence, ...row }) => ({ ...row, ...evidence }))

const columns = `id, task_id AS taskId, decision_id AS decisionId, parent_id AS parentId, option_index AS "option", plan,
  planner, from_snapshot AS fromSnapshot, machine_id AS machineId, state, won, verdict, evidence,
  end_snapshot AS endSnapshot, frame, created_at AS createdAt, ended_at AS endedAt`

export function branchReader(connection: ReadConnection): BranchReader {
  return {
    get: (id) => connection.get(Row, `SELECT ${columns} FROM branches WHERE id = :id`, { id }),
    ofTask: (taskId) =>
      connection.all(Row, `SELECT ${columns} FROM branches WHERE task_id = :taskId ORDER BY created_at, id`, {
        taskId,
      }),
  }
}

export function branchWriter(connection: WriteConnection): BranchWriter {
  const reader = branchReader(connection)
  const link = ({ taskId, frame }: Branch) => frame && linkFrame(connection, taskId, frame)

  return {
    insert: (branch) =>
      connection.transaction(() => {
        connection.run(
          `INSERT INTO branches (id, task_id, decision_id, parent_id, option_index, plan, planner, from_snapshot,
             machine_id, state, won, verdict, evidence, end_snapshot, frame, created_at, ended_at)
           VALUES (:id, :taskId, :decisionId, :parentId, :option, :plan, :planner, :fromSnapshot, :machineId, :state,
             :won, :verdict, :evidence, :endSnapshot, :frame, :createdAt, :endedAt)`,
          encoded(branch),
        )
        link(branch)
      }),
    update: (id, changes) =>
      connection.transaction(() => {
        const current = reader.get(id)
        if (!current) throw new GodHandError('not_found', `There is no branch ${id}.`)
        const branch = { ...current, ...changes }
        const { taskId, decisionId, parentId, option, plan, createdAt, ...row } = encoded(branch)
        connection.run(
          `UPDATE branches SET planner = :planner, from_snapshot = :fromSnapshot, machine_id = :machineId,
             state = :state, won = :won, verdict = :verdict, evidence = :evidence, end_snapshot = :endSnapshot,
             frame = :frame, ended_at = :endedAt WHERE id = :id`,
          row,
        )
        link(branch)
        return branch
      }),
    interrupt: (taskId) => {
      connection.run(
        `UPDATE branches SET state = 'interrupted', verdict = 'It was cut short.', ended_at = :now
           WHERE state IN ('waiting', 'running') AND (:taskId IS NULL OR task_id = :taskId)`,
        { now: new Date().toISOString(), taskId: taskId ?? null },
      )
    },
  }
}

/** Parsed before it is written: what is in the store can always be read back. */
function encoded(branch: Branch) {
  const { reasons, checks, changes, wanted, unwanted, diff, cost, files, won, ...row } = Branch.parse(branch)
  return {
    ...row,
    won: won ? 1 : 0,
    evidence: JSON.stringify({ reasons, checks, changes, wanted, unwanted, diff, cost, files }),
  }
}
