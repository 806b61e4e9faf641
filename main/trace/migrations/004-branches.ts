import type { Migration } from '../migrate.ts'

/** The ways a task tried at once, what came of each, and on which machine each step was done. */
export const branches: Migration = {
  version: 4,
  name: 'branches',
  up: (database) => database.exec(schema),
}

const schema = `
CREATE TABLE branches (
  -- One way a task tried on a machine of its own. Those of one decision began at the same snapshot.
  id TEXT PRIMARY KEY NOT NULL,
  task_id TEXT NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
  decision_id TEXT NOT NULL, -- the same for all options of one branch act
  parent_id TEXT REFERENCES branches(id) ON DELETE CASCADE, -- the branch this one was made in
  option_index INTEGER NOT NULL,
  plan TEXT NOT NULL,
  planner TEXT NOT NULL,
  from_snapshot TEXT REFERENCES snapshots(id) ON DELETE SET NULL,
  machine_id TEXT REFERENCES machines(id) ON DELETE SET NULL,
  state TEXT NOT NULL, -- waiting, running, passed, failed, timed_out, refused, interrupted
  won INTEGER NOT NULL, -- 1: its machine became the task's
  verdict TEXT,
  evidence TEXT NOT NULL, -- JSON {reasons, checks, changes, unwanted, diff, cost}
  end_snapshot TEXT REFERENCES snapshots(id) ON DELETE SET NULL, -- where a loser was kept
  frame TEXT REFERENCES frames(hash),
  created_at TEXT NOT NULL,
  ended_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX branches_by_task ON branches(task_id, created_at, id);
CREATE INDEX branches_by_frame ON branches(frame) WHERE frame IS NOT NULL;

ALTER TABLE steps ADD COLUMN branch_id TEXT; -- null: on the task's own line
ALTER TABLE steps ADD COLUMN machine_id TEXT; -- the machine it was done on
`
