import { z } from 'zod'
import type { ReadConnection, WriteConnection } from './connection.ts'

export const FrameRecord = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  bytes: z.number().int().nonnegative(), // size of the PNG
  createdAt: z.string(),
})
export type FrameRecord = z.infer<typeof FrameRecord>

export interface FrameReader {
  get(hash: string): FrameRecord | null
  /** Every frame the task's trace shows, oldest first. */
  ofTask(taskId: string): FrameRecord[]
  /** Of these, what no other trace and no snapshot shows. */
  onlyOfTask(taskId: string): FrameRecord[]
  /** What no task and no snapshot shows: live screenshots, and what deleted traces left. */
  unreferenced(): FrameRecord[]
  isReferenced(hash: string): boolean
}

export interface FrameWriter {
  /** Safe to repeat: the same content is the same frame. */
  insert(frame: FrameRecord): void
  /** Throws while a task or a snapshot shows it. */
  remove(hash: string): void
}

const columns = 'hash, width, height, bytes, created_at AS createdAt'

export function frameReader(connection: ReadConnection): FrameReader {
  return {
    get: (hash) => connection.get(FrameRecord, `SELECT ${columns} FROM frames WHERE hash = :hash`, { hash }),
    ofTask: (taskId) =>
      connection.all(
        FrameRecord,
        `SELECT ${columns} FROM task_frames JOIN frames USING (hash) WHERE task_id = :taskId ORDER BY created_at, hash`,
        { taskId },
      ),
    onlyOfTask: (taskId) =>
      connection.all(
        FrameRecord,
        `SELECT ${columns} FROM task_frames AS mine JOIN frames USING (hash) WHERE task_id = :taskId
           AND NOT EXISTS (SELECT 1 FROM task_frames WHERE hash = mine.hash AND task_id <> :taskId)
           AND NOT EXISTS (SELECT 1 FROM snapshots WHERE frame = mine.hash)`,
        { taskId },
      ),
    unreferenced: () =>
      connection.all(
        FrameRecord,
        `SELECT ${columns} FROM frames WHERE NOT EXISTS (SELECT 1 FROM task_frames WHERE hash = frames.hash)
           AND NOT EXISTS (SELECT 1 FROM snapshots WHERE frame = frames.hash) ORDER BY created_at, hash`,
      ),
    isReferenced: (hash) =>
      connection.get(
        z.object({ hash: z.string() }),
        `SELECT hash FROM task_frames WHERE hash = :hash UNION ALL
           SELECT frame FROM snapshots WHERE frame = :hash LIMIT 1`,
        { hash },
      ) !== null,
  }
}

export function frameWriter(connection: WriteConnection): FrameWriter {
  return {
    insert: (frame) => {
      connection.run(
        `INSERT INTO frames (hash, width, height, bytes, created_at) VALUES (:hash, :width, :height, :bytes, :createdAt)
           ON CONFLICT (hash) DO NOTHING`,
        FrameRecord.parse(frame),
      )
    },
    remove: (hash) => {
      connection.run('DELETE FROM frames WHERE hash = :hash', { hash })
    },
  }
}

/** The frame must be in the store: a trace never points at a picture nobody recorded. */
export function linkFrame(connection: WriteConnection, taskId: string, hash: string): void {
  connection.run('INSERT INTO task_frames (task_id, hash) VALUES (:taskId, :hash) ON CONFLICT DO NOTHING', {
    taskId,
    hash,
  })
}

/** Evidence is free-form, so every value in it that is the hash of a known frame counts as showing that frame. */
export function linkFrames(connection: WriteConnection, taskId: string, evidence: string): void {
  const hashes = new Set(Array.from(evidence.matchAll(/"([0-9a-f]{64})"/g), (match) => match[1] ?? ''))
  for (const hash of hashes)
    connection.run(
      `INSERT INTO task_frames (task_id, hash) SELECT :taskId, hash FROM frames WHERE hash = :hash
         ON CONFLICT DO NOTHING`,
      { taskId, hash },
    )
}
