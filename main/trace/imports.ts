import { z } from 'zod'
import { Lineage, Manifest } from './bundle/format.ts'
import { json } from './columns.ts'
import type { ReadConnection, WriteConnection } from './connection.ts'

/** Where an imported trace came from. */
export const ImportRecord = z.object({
  taskId: z.string(),
  sha256: z.string(),
  importedAt: z.string(),
  manifest: Manifest,
  lineage: Lineage,
})
export type ImportRecord = z.infer<typeof ImportRecord>

export interface ImportReader {
  get(taskId: string): ImportRecord | null
  /** The trace that this bundle became, if it is still there. */
  ofBundle(sha256: string): string | null
}

export interface ImportWriter {
  insert(record: ImportRecord): void
}

const Row = ImportRecord.extend({ manifest: json(Manifest), lineage: json(Lineage) })
const Id = z.object({ taskId: z.string() })

export function importReader(connection: ReadConnection): ImportReader {
  return {
    get: (taskId) =>
      connection.get(
        Row,
        `SELECT task_id AS taskId, sha256, imported_at AS importedAt, manifest, lineage FROM imports
           WHERE task_id = :taskId`,
        { taskId },
      ),
    ofBundle: (sha256) =>
      connection.get(Id, 'SELECT task_id AS taskId FROM imports WHERE sha256 = :sha256 LIMIT 1', { sha256 })?.taskId ??
      null,
  }
}

export function importWriter(connection: WriteConnection): ImportWriter {
  return {
    insert: (record) => {
      connection.run(
        `INSERT INTO imports (task_id, sha256, imported_at, manifest, lineage)
         VALUES (:taskId, :sha256, :importedAt, :manifest, :lineage)`,
        { ...record, manifest: JSON.stringify(record.manifest), lineage: JSON.stringify(record.lineage) },
      )
    },
  }
}
