import Database from 'better-sqlite3'
import { type ErrorCode, GodHandError } from '../contract/errors.ts'

/** What SQLite says went wrong, by the start of its code, in words for the person. */
const known: { starts: string; code: ErrorCode; message: string; hint?: string }[] = [
  {
    starts: 'SQLITE_FULL',
    code: 'disk_full',
    message: 'The disk is full: the trace could not be written.',
    hint: 'Free some disk space, or set GODHAND_HOME to a folder on a larger disk.',
  },
  {
    starts: 'SQLITE_READONLY',
    code: 'not_writable',
    message: 'The database cannot be written.',
    hint: 'Check the permissions of the data folder, or set GODHAND_HOME to a folder you can write to.',
  },
  {
    starts: 'SQLITE_CANTOPEN',
    code: 'not_writable',
    message: 'The database cannot be opened.',
    hint: 'Check the permissions of the data folder, or set GODHAND_HOME to a folder you can write to.',
  },
  { starts: 'SQLITE_CORRUPT', code: 'corrupt', message: 'The database is damaged.' },
  { starts: 'SQLITE_NOTADB', code: 'corrupt', message: 'The database file is not a database.' },
  {
    starts: 'SQLITE_BUSY',
    code: 'engine_running',
    message: 'Another program is writing to the database.',
    hint: 'Close the other GodHand that uses this data folder.',
  },
  { starts: 'SQLITE_IOERR', code: 'internal', message: 'The disk failed while the database was read or written.' },
  {
    starts: 'SQLITE_CONSTRAINT_FOREIGNKEY',
    code: 'conflict',
    message: 'This refers to, or is needed by, another record in the store.',
  },
  { starts: 'SQLITE_CONSTRAINT', code: 'conflict', message: 'The store already has this, or does not allow it.' },
]

/** Whatever a database call threw, as a GodHandError. `file` is named in the message where that helps. */
export function storeError(thrown: unknown, file: string): GodHandError {
  if (!(thrown instanceof Database.SqliteError)) return GodHandError.from(thrown)
  const match = known.find((entry) => thrown.code.startsWith(entry.starts))
  const details = { file, sqlite: thrown.code, reason: thrown.message }
  if (!match) return new GodHandError('internal', `The database failed: ${thrown.message}`, { cause: thrown, details })
  const hint = match.code === 'corrupt' ? damagedHint(file) : match.hint
  return new GodHandError(match.code, match.message, { hint, cause: thrown, details })
}

export function damagedHint(file: string): string {
  return `Move ${file} and the files beside it that start with its name to another folder, then start again with an empty list of tasks.`
}
