import type Database from 'better-sqlite3'
import { z } from 'zod'
import { GodHandError } from '../contract/errors.ts'
import { storeError } from './sqlite-errors.ts'

export type Value = string | number | null
export type Parameters = Record<string, Value>

/** Asks only. Rows are parsed on the way out, so nothing unchecked leaves the store. */
export interface ReadConnection {
  get<T>(row: z.ZodType<T>, sql: string, parameters?: Parameters): T | null
  all<T>(row: z.ZodType<T>, sql: string, parameters?: Parameters): T[]
}

export interface WriteConnection extends ReadConnection {
  /** The number of rows changed. */
  run(sql: string, parameters?: Parameters): number
  /** All or nothing. May be nested; the outermost one commits. */
  transaction<T>(work: () => T): T
}

/** Statements are prepared once by their text: SQL here is always a constant, values are always parameters. */
export function connect(database: Database.Database): WriteConnection {
  const prepared = new Map<string, Database.Statement<[Parameters]>>()

  function statement(sql: string): Database.Statement<[Parameters]> {
    let found = prepared.get(sql)
    if (!found) {
      found = database.prepare<[Parameters]>(sql)
      prepared.set(sql, found)
    }
    return found
  }

  function guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (thrown) {
      throw storeError(thrown, database.name)
    }
  }

  return {
    get(row, sql, parameters = {}) {
      const found = guarded(() => statement(sql).get(parameters))
      return found === undefined ? null : parsed(row, found, database.name)
    },
    all(row, sql, parameters = {}) {
      return guarded(() => statement(sql).all(parameters)).map((found) => parsed(row, found, database.name))
    },
    run(sql, parameters = {}) {
      return guarded(() => statement(sql).run(parameters).changes)
    },
    transaction(work) {
      // Immediate: the write lock is taken at the start, so a transaction never fails halfway for want of it.
      return guarded(() => database.transaction(work).immediate())
    },
  }
}

function parsed<T>(row: z.ZodType<T>, found: unknown, file: string): T {
  const result = row.safeParse(found)
  if (result.success) return result.data
  throw new GodHandError('corrupt', `A stored record cannot be read: ${z.prettifyError(result.error)}`, {
    cause: result.error,
    details: { file },
  })
}
