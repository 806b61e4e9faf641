import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { GodHandError } from '../contract/errors.ts'
import { connect, type ReadConnection, type WriteConnection } from './connection.ts'
import { migrate, refuseNewer } from './migrate.ts'
import { damagedHint, storeError } from './sqlite-errors.ts'

export type OpenDatabase = {
  connection: WriteConnection
  /** The last owner did not close it: the journal it left was replayed, and the file was checked. */
  unclean: boolean
  close(): void
}

/** Opens, checks and migrates. One engine owns the file for writing; others may read beside it. */
export function openDatabase(file: string): OpenDatabase {
  makeFolder(path.dirname(file))
  const unclean = leftJournal(file)
  const database = opened(file, {})
  try {
    refuseNewer(database)
    database.pragma('journal_mode = WAL')
    // FULL, not NORMAL: in WAL mode NORMAL keeps the file sound on power loss, but may forget every step since the last
    // checkpoint. A step takes a second or so and a sync some milliseconds, so the promise costs nothing one can feel.
    database.pragma('synchronous = FULL')
    // Otherwise the journal keeps the size of the largest transaction there ever was.
    database.pragma('journal_size_limit = 16777216')
    if (unclean) quickCheck(database)
    migrate(database)
  } catch (thrown) {
    database.close()
    throw storeError(thrown, file)
  }
  return {
    connection: connect(database),
    unclean,
    close: () => {
      database.close()
    },
  }
}

/** For looking only, also while an engine runs. Never migrates. */
export function openForReading(file: string): { connection: ReadConnection; close(): void } {
  if (!fs.existsSync(file))
    throw new GodHandError('not_found', `There is no database at ${file}.`, { hint: 'Run a task first.' })
  const database = opened(file, { readonly: true })
  try {
    refuseNewer(database)
  } catch (thrown) {
    database.close()
    throw storeError(thrown, file)
  }
  return { connection: connect(database), close: () => database.close() }
}

function opened(file: string, options: Database.Options): Database.Database {
  try {
    return new Database(file, { timeout: 5000, ...options }) // busy_timeout
  } catch (thrown) {
    throw storeError(thrown, file)
  }
}

/** The last connection to close removes the journal, so one with content means that nobody closed. */
function leftJournal(file: string): boolean {
  const journal = fs.statSync(`${file}-wal`, { throwIfNoEntry: false })
  return journal !== undefined && journal.size > 0
}

function quickCheck(database: Database.Database): void {
  const answer = database.pragma('quick_check(10)', { simple: true })
  if (answer === 'ok') return
  throw new GodHandError('corrupt', 'The database was damaged when GodHand last ended.', {
    hint: damagedHint(database.name),
    details: { file: database.name, reason: answer },
  })
}

function makeFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true })
  } catch (thrown) {
    const error = GodHandError.from(thrown)
    if (error.code !== 'internal') throw error
    throw new GodHandError('not_writable', `The data folder ${folder} cannot be made: ${error.message}`, {
      cause: thrown,
      hint: 'Set GODHAND_HOME to a folder you can write to.',
    })
  }
}
