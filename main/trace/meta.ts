import { z } from 'zod'
import type { ReadConnection, WriteConnection } from './connection.ts'

export interface MetaReader {
  get(key: string): string | null
}

export interface MetaWriter {
  set(key: string, value: string): void
  remove(key: string): void
}

const Row = z.object({ value: z.string() })

export function metaReader(connection: ReadConnection): MetaReader {
  return { get: (key) => connection.get(Row, 'SELECT value FROM meta WHERE key = :key', { key })?.value ?? null }
}

export function metaWriter(connection: WriteConnection): MetaWriter {
  return {
    set: (key, value) => {
      connection.run(
        'INSERT INTO meta (key, value) VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        { key, value },
      )
    },
    remove: (key) => {
      connection.run('DELETE FROM meta WHERE key = :key', { key })
    },
  }
}
