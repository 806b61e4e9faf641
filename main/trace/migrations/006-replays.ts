import { rememberAppsOfAll } from '../apps.ts'
import type { Migration } from '../migrate.ts'

/** What a machine was made of and came from, how a step can be reached again, and how a replayed step compares with the recorded one. */
export const replays: Migration = {
  version: 6,
  name: 'replays',
  up: (database) => {
    database.exec(schema)
    rememberAppsOfAll(database)
  },
}

const schema = `
ALTER TABLE machines ADD COLUMN born_of TEXT; -- like parent_snapshot, but remembered when that is gone
UPDATE machines SET born_of = parent_snapshot;
ALTER TABLE steps ADD COLUMN kept_after TEXT; -- like snapshot_after, but remembered when that is gone
UPDATE steps SET kept_after = snapshot_after;
ALTER TABLE machines ADD COLUMN environment TEXT; -- JSON {imageHash, templateKey, qemuVersion, qemuHash, …}
ALTER TABLE steps ADD COLUMN compared TEXT; -- JSON, in a replay: recorded steps and what came of them by now

CREATE TABLE task_apps (
  -- Programs that a trace ran, by the names of what was started and found running.
  task_id TEXT NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
  app TEXT NOT NULL,
  PRIMARY KEY (task_id, app)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_apps_by_app ON task_apps(app);
`
