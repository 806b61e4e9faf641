import { z } from 'zod'
import { Usage } from '../contract/usage.ts'
import { flag, json } from './columns.ts'
import type { ReadConnection, WriteConnection } from './connection.ts'

const Spent = z.object({ steps: z.number().int(), usage: Usage, elapsedMs: z.number() })
const Row = z.object({ state: json(z.unknown()), open: flag, spent: json(Spent) })
export type Conversation = z.infer<typeof Row>

export interface ConversationReader {
  get(taskId: string): Conversation | null
}

export interface ConversationWriter {
  /** When a turn is decided, before it is acted on. */
  save(taskId: string, state: unknown, spent: z.infer<typeof Spent>): void
  /** In the transaction that appends the turn's step. */
  settle(taskId: string, spent: z.infer<typeof Spent>): void
}

export function conversationReader(connection: ReadConnection): ConversationReader {
  return {
    get: (taskId) =>
      connection.get(Row, 'SELECT state, open, spent FROM conversations WHERE task_id = :taskId', { taskId }),
  }
}

export function conversationWriter(connection: WriteConnection): ConversationWriter {
  return {
    save(taskId, state, spent) {
      connection.run(
        `INSERT INTO conversations (task_id, state, open, spent) VALUES (:taskId, :state, 1, :spent)
           ON CONFLICT (task_id) DO UPDATE SET state = excluded.state, open = 1, spent = excluded.spent`,
        { taskId, state: JSON.stringify(state ?? null), spent: JSON.stringify(Spent.parse(spent)) },
      )
    },
    settle(taskId, spent) {
      connection.run('UPDATE conversations SET open = 0, spent = :spent WHERE task_id = :taskId', {
        taskId,
        spent: JSON.stringify(Spent.parse(spent)),
      })
    },
  }
}
