import { z } from 'zod'
import { Tag } from '../contract/trace.ts'
import type { ReadConnection, WriteConnection } from './connection.ts'

export interface TagReader {
  /** In the order of the alphabet. */
  of(taskId: string): string[]
  /** Every tag in use, with the number of traces that have it. */
  all(): { tag: string; count: number }[]
}

export interface TagWriter {
  add(taskId: string, tag: string): void
  remove(taskId: string, tag: string): void
}

const Row = z.object({ tag: z.string() })
const Counted = z.object({ tag: z.string(), count: z.number().int() })

export function tagReader(connection: ReadConnection): TagReader {
  return {
    of: (taskId) =>
      connection
        .all(Row, 'SELECT tag FROM task_tags WHERE task_id = :taskId ORDER BY tag', { taskId })
        .map(({ tag }) => tag),
    all: () => connection.all(Counted, 'SELECT tag, count(*) AS count FROM task_tags GROUP BY tag ORDER BY tag'),
  }
}

export function tagWriter(connection: WriteConnection): TagWriter {
  return {
    add: (taskId, tag) => {
      connection.run('INSERT INTO task_tags (task_id, tag) VALUES (:taskId, :tag) ON CONFLICT DO NOTHING', {
        taskId,
        tag: Tag.parse(tag),
      })
    },
    remove: (taskId, tag) => {
      connection.run('DELETE FROM task_tags WHERE task_id = :taskId AND tag = :tag', { taskId, tag })
    },
  }
}
