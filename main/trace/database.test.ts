import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { GodHandError } from '../contract/errors.ts'
import { openDatabase, openForReading } from './database.ts'
import { migrations } from './migrations/index.ts'
import { temporaryFolder } from './testing/samples.ts'

function thrownBy(work: () => unknown): GodHandError {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof GodHandError) return thrown
    throw thrown
  }
  throw new Error('nothing was thrown')
}

function temporaryFile(): string {
  return path.join(temporaryFolder(), 'new', 'folders', 'godhand.db')
}

test('a new database is made with its folders, in WAL, with references enforced and every commit synced', () => {
  const database = openDatabase(temporaryFile())
  const setting = (name: string) => database.connection.get(z.record(z.string(), z.unknown()), `PRAGMA ${name}`)
  expect(setting('journal_mode')).toEqual({ journal_mode: 'wal' })
  expect(setting('foreign_keys')).toEqual({ foreign_keys: 1 })
  expect(setting('synchronous')).toEqual({ synchronous: 2 })
  expect(setting('busy_timeout')).toEqual({ timeout: 5000 })
  database.close()
})

test('after an orderly close the next open is clean and there is no journal', () => {
  const file = temporaryFile()
  openDatabase(file).close()
  expect(fs.existsSync(`${file}-wal`)).toBe(false)
  const again = openDatabase(file)
  expect(again.unclean).toBe(false)
  again.close()
  again.close()
})

test('a database of a newer GodHand is refused with a hint and left as it was', () => {
  const file = temporaryFile()
  openDatabase(file).close()
  const newer = new Database(file)
  newer.pragma(`user_version = ${migrations.length + 1}`)
  newer.close()
  const before = fs.readFileSync(file)
  const error = thrownBy(() => openDatabase(file))
  expect(error.code).toBe('unsupported')
  expect(error.message).toBe('The data in this folder was written by a newer GodHand.')
  expect(error.hint).toContain('Update GodHand')
  expect(fs.readFileSync(file).equals(before)).toBe(true)
  expect(thrownBy(() => openForReading(file)).code).toBe('unsupported')
})

test('damage is found on open when the last owner did not close', () => {
  const file = temporaryFile()
  const first = openDatabase(file)
  for (let index = 0; index < 200; index++)
    first.connection.run('INSERT INTO meta VALUES (:key, :value)', { key: `k${index}`, value: 'x'.repeat(500) })
  first.close()
  const size = fs.statSync(file).size
  const handle = fs.openSync(file, 'r+')
  // The last pages are leaves of the table just filled.
  fs.writeSync(handle, Buffer.alloc(8192, 0xa5), 0, 8192, size - 8192)
  fs.closeSync(handle)
  fs.writeFileSync(`${file}-wal`, 'left by a crash')
  const error = thrownBy(() => openDatabase(file))
  expect(error.code).toBe('corrupt')
  expect(error.hint).toContain(file)
})

test('a file that is no database is called damaged, not overwritten', () => {
  const file = path.join(temporaryFolder(), 'godhand.db')
  fs.writeFileSync(file, 'a letter to my aunt, long enough to have been taken for a header')
  expect(thrownBy(() => openDatabase(file)).code).toBe('corrupt')
  expect(fs.readFileSync(file, 'utf8')).toContain('my aunt')
})

test('a data folder that cannot be made is said to be not writable', () => {
  const file = path.join(temporaryFolder(), 'plain-file')
  fs.writeFileSync(file, '')
  const error = thrownBy(() => openDatabase(path.join(file, 'godhand.db')))
  expect(error.code).toBe('not_writable')
  expect(error.hint).toContain('GODHAND_HOME')
})

test('a full disk is called so, and what was there stays readable', () => {
  const database = openDatabase(temporaryFile())
  const insert = (key: string, value: string) =>
    database.connection.run('INSERT INTO meta VALUES (:key, :value)', { key, value })
  insert('first', 'kept')
  database.connection.get(z.unknown(), 'PRAGMA max_page_count = 1') // cannot grow beyond what it has
  const error = thrownBy(() => insert('second', 'x'.repeat(1_000_000)))
  expect(error.code).toBe('disk_full')
  const keys = database.connection.all(z.object({ key: z.string() }), 'SELECT key FROM meta')
  expect(keys).toEqual([{ key: 'first' }])
  database.close()
})

test('a reader beside the owner sees what was committed and cannot write', () => {
  const file = temporaryFile()
  const owner = openDatabase(file)
  const reader = openForReading(file)
  owner.connection.run(`INSERT INTO meta VALUES ('a', 'b')`)
  const value = z.object({ value: z.string() })
  expect(reader.connection.get(value, 'SELECT value FROM meta')).toEqual({ value: 'b' })
  expect(thrownBy(() => reader.connection.get(value, `DELETE FROM meta RETURNING value`)).code).toBe('not_writable')
  reader.close()
  owner.close()
})

test('reading where nothing was ever written makes no file', () => {
  const file = temporaryFile()
  expect(thrownBy(() => openForReading(file)).code).toBe('not_found')
  expect(fs.existsSync(file)).toBe(false)
})
