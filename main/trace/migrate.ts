import type Database from 'better-sqlite3'
import { GodHandError } from '../contract/errors.ts'
import { migrations as all } from './migrations/index.ts'

/** From version - 1 to version. Never changed once released, never undone: a mistake is mended by the next one. */
export type Migration = { version: number; name: string; up(database: Database.Database): void }

export function schemaVersion(database: Database.Database): number {
  return Number(database.pragma('user_version', { simple: true }))
}

/** Throws before anything is touched when the file comes from a GodHand that knows more than this one. */
export function refuseNewer(database: Database.Database, migrations: readonly Migration[] = all): void {
  const version = schemaVersion(database)
  const newest = migrations.at(-1)?.version ?? 0
  if (version <= newest) return
  throw new GodHandError('unsupported', 'The data in this folder was written by a newer GodHand.', {
    hint: 'Update GodHand, or set GODHAND_HOME to another folder to start with an empty one. Nothing was changed.',
    details: { file: database.name, version, newest },
  })
}

/**
 * Brings the schema up, one transaction a migration: a crash between two leaves a sound database at the one before.
 * Foreign keys are off meanwhile, because rebuilding a table would fire their actions; they are checked before commit.
 */
export function migrate(database: Database.Database, migrations: readonly Migration[] = all): void {
  refuseNewer(database, migrations)
  const version = schemaVersion(database)
  database.pragma('foreign_keys = OFF')
  for (const migration of migrations.filter((candidate) => candidate.version > version))
    database
      .transaction(() => {
        migration.up(database)
        const broken = database.pragma('foreign_key_check')
        if (Array.isArray(broken) && broken.length > 0)
          throw new GodHandError('internal', `Migration ${migration.version} (${migration.name}) broke a reference.`, {
            details: { broken: broken.slice(0, 10) },
          })
        database.pragma(`user_version = ${migration.version}`)
      })
      .immediate()
  database.pragma('foreign_keys = ON')
}
