import type { Migration } from '../migrate.ts'

/** What deciding a step took, who talked, and what a planner needs to go on after a crash. */
export const leash: Migration = {
  version: 3,
  name: 'leash',
  up: (database) => database.exec(schema),
}

const schema = `
ALTER TABLE steps ADD COLUMN done_by TEXT; -- person: by hand while they had taken over; null: the agent
ALTER TABLE steps ADD COLUMN usage TEXT; -- JSON Usage
ALTER TABLE steps ADD COLUMN notices TEXT; -- JSON string[], what went wrong meanwhile and was overcome
ALTER TABLE steps ADD COLUMN dialogue TEXT; -- JSON {question, answer}

CREATE TABLE conversations (
  -- What the planner of a task needs to go on in another process. Secrets are in it by name only.
  task_id TEXT PRIMARY KEY NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
  state TEXT NOT NULL, -- JSON, the planner's own
  open INTEGER NOT NULL, -- 1: its last turn is being done; 0: that turn's step is in the trace
  spent TEXT NOT NULL -- JSON {steps, usage, elapsedMs}, of the budget
) STRICT, WITHOUT ROWID;
`
