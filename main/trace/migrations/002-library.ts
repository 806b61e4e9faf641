import type { Migration } from '../migrate.ts'
import { indexEverything } from '../search-index.ts'

/** Finding traces again: full text, tags, and where an imported one came from. */
export const library: Migration = {
  version: 2,
  name: 'library',
  up: (database) => {
    database.exec(schema)
    indexEverything(database)
  },
}

const schema = `
CREATE TABLE search_documents (
  -- The words of a task (step_index null) or of one of its steps, for the full-text index search_text, which triggers keep.
  id INTEGER PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
  step_index INTEGER,
  said TEXT NOT NULL, -- the goal, or the thought
  did TEXT NOT NULL, -- actions: what was typed, run and answered
  found TEXT NOT NULL, -- verdicts and their evidence
  seen TEXT NOT NULL DEFAULT '' -- text read on the screen
) STRICT;
CREATE UNIQUE INDEX search_documents_by_step ON search_documents(task_id, coalesce(step_index, -1));

CREATE VIRTUAL TABLE search_text USING fts5(said, did, found, seen,
  content='search_documents', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='2 3');

CREATE TRIGGER search_documents_added AFTER INSERT ON search_documents
BEGIN
  INSERT INTO search_text (rowid, said, did, found, seen) VALUES (NEW.id, NEW.said, NEW.did, NEW.found, NEW.seen);
END;
CREATE TRIGGER search_documents_removed AFTER DELETE ON search_documents
BEGIN
  INSERT INTO search_text (search_text, rowid, said, did, found, seen)
    VALUES ('delete', OLD.id, OLD.said, OLD.did, OLD.found, OLD.seen);
END;
CREATE TRIGGER search_documents_changed AFTER UPDATE ON search_documents
BEGIN
  INSERT INTO search_text (search_text, rowid, said, did, found, seen)
    VALUES ('delete', OLD.id, OLD.said, OLD.did, OLD.found, OLD.seen);
  INSERT INTO search_text (rowid, said, did, found, seen) VALUES (NEW.id, NEW.said, NEW.did, NEW.found, NEW.seen);
END;

CREATE TABLE task_tags (
  -- Words a person put on a trace.
  task_id TEXT NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  PRIMARY KEY (task_id, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_tags_by_tag ON task_tags(tag);

CREATE TABLE imports (
  -- Traces that came from a bundle, with what the bundle said about their machines.
  task_id TEXT PRIMARY KEY NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
  sha256 TEXT NOT NULL, -- seal of the bundle
  imported_at TEXT NOT NULL,
  manifest TEXT NOT NULL, -- JSON Manifest, as it was read
  lineage TEXT NOT NULL -- JSON Lineage, as it was read
) STRICT, WITHOUT ROWID;
`
