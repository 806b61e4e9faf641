import type { Migration } from '../migrate.ts'

/**
 * The comments inside the statements are kept by SQLite and become docs/schema.md. Allowed words of a state are checked
 * by the contract's schemas, not here: adding one must not mean rebuilding a table.
 */
export const initial: Migration = {
  version: 1,
  name: 'initial',
  up: (database) => database.exec(schema),
}

const schema = `
CREATE TABLE meta (
  -- Small facts about the store itself.
  key TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tasks (
  -- A goal somebody gave, and what came of it.
  id TEXT PRIMARY KEY NOT NULL, -- sorts by time of making
  goal TEXT NOT NULL,
  image TEXT NOT NULL, -- name of the guest image
  planner TEXT NOT NULL, -- demo, script, anthropic:<model>
  request TEXT, -- JSON RunTask, as it was asked, so that it can be run again
  state TEXT NOT NULL, -- queued, preparing, running, succeeded, failed, stopped, interrupted
  machine_id TEXT REFERENCES machines(id) ON DELETE SET NULL, -- where it runs or ran
  verdict TEXT, -- one sentence for the person
  error TEXT, -- JSON ErrorInfo
  checks TEXT NOT NULL, -- JSON CheckedAssertion[], the final ones
  step_count INTEGER NOT NULL DEFAULT 0, -- kept by the transaction that appends a step
  created_at TEXT NOT NULL, -- all times are ISO 8601 in UTC
  started_at TEXT, -- when it left the queue
  ended_at TEXT
) STRICT;
CREATE INDEX tasks_by_time ON tasks(created_at, id);
CREATE INDEX tasks_by_machine ON tasks(machine_id);

CREATE TABLE steps (
  -- What the agent did, one finished step a row. Written once, in one transaction; later only the name of a removed snapshot is cleared.
  id INTEGER PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
  step_index INTEGER NOT NULL, -- from 0 without gaps
  thought TEXT NOT NULL,
  actions TEXT NOT NULL, -- JSON {act, result}[]
  before_frame TEXT, -- frame hash; task_frames holds the reference
  after_frame TEXT, -- frame hash; task_frames holds the reference
  settle TEXT, -- JSON Settle
  checks TEXT NOT NULL, -- JSON CheckedAssertion[]
  verdict TEXT NOT NULL, -- pass, fail, unchecked
  snapshot_before TEXT REFERENCES snapshots(id) ON DELETE SET NULL, -- boot this to stand before the step
  snapshot_after TEXT REFERENCES snapshots(id) ON DELETE SET NULL,
  started_at TEXT NOT NULL,
  timing TEXT NOT NULL, -- JSON {planMs, actMs, settleMs, verifyMs, totalMs}
  UNIQUE (task_id, step_index)
) STRICT;
CREATE INDEX steps_by_snapshot_before ON steps(snapshot_before) WHERE snapshot_before IS NOT NULL;
CREATE INDEX steps_by_snapshot_after ON steps(snapshot_after) WHERE snapshot_after IS NOT NULL;

CREATE TABLE frames (
  -- Screenshots, known by their content. The pictures are files: frames/<first two>/<hash>.png.
  hash TEXT PRIMARY KEY NOT NULL, -- sha256, 64 hex digits
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  bytes INTEGER NOT NULL, -- size of the PNG
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE task_frames (
  -- Which frames a task's trace shows: before and after its steps, and in the evidence of its checks.
  task_id TEXT NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
  hash TEXT NOT NULL REFERENCES frames(hash),
  PRIMARY KEY (task_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_frames_by_hash ON task_frames(hash);

CREATE TABLE machines (
  -- Every machine there was: the lineage of forks, and what a crashed engine may have left running.
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  driver TEXT NOT NULL, -- qemu, fake
  image TEXT NOT NULL,
  pid INTEGER, -- host process, while it is known
  parent_snapshot TEXT REFERENCES snapshots(id) ON DELETE SET NULL, -- null: resumed from the image's template
  task_id TEXT REFERENCES tasks(id) ON DELETE SET NULL,
  created_at TEXT NOT NULL,
  ended_at TEXT, -- null while it lives
  end_reason TEXT -- JSON ErrorInfo; null when the end was asked for
) STRICT;
CREATE INDEX machines_by_parent ON machines(parent_snapshot) WHERE parent_snapshot IS NOT NULL;
CREATE INDEX machines_by_task ON machines(task_id) WHERE task_id IS NOT NULL;
CREATE INDEX machines_alive ON machines(created_at) WHERE ended_at IS NULL;

CREATE TABLE snapshots (
  -- RAM, devices and disk of a machine at one moment: an immutable node of a tree. Files: snapshots/<id>/.
  id TEXT PRIMARY KEY NOT NULL,
  state TEXT NOT NULL, -- writing: files may be half made, removed at the next start; ready: whole
  parent_id TEXT REFERENCES snapshots(id), -- cannot go while this one stands on it
  machine_id TEXT REFERENCES machines(id) ON DELETE SET NULL, -- the machine it was taken of
  task_id TEXT REFERENCES tasks(id) ON DELETE SET NULL,
  label TEXT,
  image TEXT NOT NULL,
  template_key TEXT, -- what the RAM depends on: QEMU, ROMs, kernel, image, argv, CPU, accelerator
  pinned INTEGER NOT NULL, -- 1: never removed to save space
  created_at TEXT NOT NULL,
  pause_ms REAL, -- how long the guest stood still
  disk_bytes INTEGER,
  ram_bytes INTEGER,
  frame TEXT REFERENCES frames(hash), -- what the screen showed
  CHECK (state <> 'ready' OR (template_key IS NOT NULL AND pause_ms IS NOT NULL
    AND disk_bytes IS NOT NULL AND ram_bytes IS NOT NULL))
) STRICT;
CREATE INDEX snapshots_by_time ON snapshots(created_at, id);
CREATE INDEX snapshots_by_parent ON snapshots(parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX snapshots_by_machine ON snapshots(machine_id) WHERE machine_id IS NOT NULL;
CREATE INDEX snapshots_by_task ON snapshots(task_id) WHERE task_id IS NOT NULL;
CREATE INDEX snapshots_by_frame ON snapshots(frame) WHERE frame IS NOT NULL;

CREATE TRIGGER snapshots_are_immutable
BEFORE UPDATE OF id, state, parent_id, image, template_key, created_at ON snapshots WHEN OLD.state = 'ready'
BEGIN
  SELECT RAISE(ABORT, 'a finished snapshot does not change');
END;
`
