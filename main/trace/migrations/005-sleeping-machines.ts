import type { Migration } from '../migrate.ts'

/** Machines that were put to sleep: they outlive the engine, because all they are lies in a snapshot. */
export const sleepingMachines: Migration = {
  version: 5,
  name: 'sleeping machines',
  up: (database) => database.exec(schema),
}

const schema = `
CREATE TABLE sleeping_machines (
  -- A suspended machine: what it needs, beside its snapshot, to be itself again at its next use.
  machine_id TEXT PRIMARY KEY NOT NULL REFERENCES machines(id) ON DELETE CASCADE,
  snapshot_id TEXT NOT NULL REFERENCES snapshots(id), -- all it is; cannot be removed while it sleeps
  needs TEXT NOT NULL -- JSON {memoryMb, cpus, screen, startedInMs, allow}
) STRICT, WITHOUT ROWID;
CREATE INDEX sleeping_machines_by_snapshot ON sleeping_machines(snapshot_id);
`
