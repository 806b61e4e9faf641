import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { type Migration, migrate, schemaVersion } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openStore } from './store.ts'
import { sampleStep, sampleTask, temporaryFolder } from './testing/samples.ts'

/** A database as the GodHand of that version left it. */
function databaseAt(version: number): Database.Database {
  const database = new Database(':memory:')
  onTestFinished(() => {
    database.close()
  })
  migrate(database, migrations.slice(0, version))
  return database
}

const addTags: Migration = {
  version: migrations.length + 1,
  name: 'tags',
  up: (database) => database.exec(`ALTER TABLE tasks ADD COLUMN tags TEXT NOT NULL DEFAULT '[]'`),
}

test('migrations are numbered from 1 without gaps', () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1))
})

test.each(migrations.map(({ version }) => version))('migration %i runs on the one before it', (version) => {
  const database = databaseAt(version - 1)
  expect(schemaVersion(database)).toBe(version - 1)
  migrate(database, migrations.slice(0, version))
  expect(schemaVersion(database)).toBe(version)
  expect(database.pragma('foreign_keys', { simple: true })).toBe(1)
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
})

test('from 0 to 1 an empty file gets the tables', () => {
  const database = databaseAt(1)
  const names = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).pluck().all()
  expect(names).toEqual(['frames', 'machines', 'meta', 'snapshots', 'steps', 'task_frames', 'tasks'])
})

test('from 1 to 2 what was there before is found by its words', () => {
  const database = databaseAt(1)
  const step = sampleStep('t', 0)
  database.exec(`INSERT INTO tasks (id, goal, image, planner, state, checks, created_at)
    VALUES ('t', 'Paint the fence', 'desktop', 'demo', 'failed', '[]', 'x'), ('broken', 'Fence', 'd', 'd', 'failed', '{', 'x')`)
  database
    .prepare(
      `INSERT INTO steps (task_id, step_index, thought, actions, checks, verdict, started_at, timing)
         VALUES ('t', 0, ?, ?, ?, 'pass', 'x', '{}')`,
    )
    .run(step.thought, JSON.stringify(step.actions), JSON.stringify(step.checks))
  migrate(database, migrations.slice(0, 2))
  const find = database.prepare(
    `SELECT task_id, step_index FROM search_documents WHERE id IN (SELECT rowid FROM search_text WHERE search_text MATCH ?)`,
  )
  expect(find.all('fence')).toEqual([{ task_id: 't', step_index: null }])
  expect(find.all('frog')).toEqual([{ task_id: 't', step_index: 0 }])
  database.exec(`DELETE FROM search_documents WHERE task_id = 't'`)
  expect(find.all('frog')).toEqual([])
})

test('the next migration keeps what a store of today holds', () => {
  const file = path.join(temporaryFolder(), 'godhand.db')
  const store = openStore(file)
  const task = sampleTask()
  store.tasks.insert(task)
  store.steps.append(sampleStep(task.id, 0))
  store.close()

  const database = new Database(file)
  onTestFinished(() => {
    database.close()
  })
  migrate(database, [...migrations, addTags])
  expect(schemaVersion(database)).toBe(addTags.version)
  expect(database.prepare('SELECT id, step_count, tags FROM tasks').all()).toEqual([
    { id: task.id, step_count: 1, tags: '[]' },
  ])
  expect(database.prepare('SELECT count(*) FROM steps').pluck().get()).toBe(1)
})

test('a migration that fails halfway leaves the version and the tables of before', () => {
  const database = databaseAt(migrations.length)
  const broken: Migration = {
    ...addTags,
    up(inside) {
      addTags.up(inside)
      inside.exec('ALTER TABLE no_such_table ADD COLUMN x')
    },
  }
  expect(() => migrate(database, [...migrations, broken])).toThrow('no_such_table')
  expect(schemaVersion(database)).toBe(migrations.length)
  expect(database.prepare(`SELECT name FROM pragma_table_info('tasks')`).pluck().all()).not.toContain('tags')
})

test('a migration that breaks a reference is not kept', () => {
  const database = databaseAt(migrations.length)
  const careless: Migration = {
    ...addTags,
    up: (inside) => inside.exec(`INSERT INTO task_frames (task_id, hash) VALUES ('nobody', 'nothing')`),
  }
  expect(() => migrate(database, [...migrations, careless])).toThrow('broke a reference')
  expect(schemaVersion(database)).toBe(migrations.length)
  expect(database.prepare('SELECT count(*) FROM task_frames').pluck().get()).toBe(0)
})

test('a migration may rebuild a table that others refer to without losing their rows', () => {
  const database = databaseAt(migrations.length)
  database.exec(`
    INSERT INTO tasks (id, goal, image, planner, state, checks, created_at) VALUES ('t', 'g', 'i', 'p', 'queued', '[]', 'x');
    INSERT INTO frames VALUES ('h', 1, 1, 1, 'x');
    INSERT INTO task_frames VALUES ('t', 'h');`)
  const rebuild: Migration = {
    ...addTags,
    up: (inside) =>
      inside.exec(`CREATE TABLE frames_new (hash TEXT PRIMARY KEY NOT NULL, bytes INTEGER NOT NULL) STRICT;
        INSERT INTO frames_new SELECT hash, bytes FROM frames;
        DROP TABLE frames;
        ALTER TABLE frames_new RENAME TO frames;`),
  }
  migrate(database, [...migrations, rebuild])
  expect(database.prepare('SELECT count(*) FROM task_frames').pluck().get()).toBe(1)
})
