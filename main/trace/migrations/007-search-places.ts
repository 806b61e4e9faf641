import type { Migration } from '../migrate.ts'

/** Whose words a hit of the full-text index is, without reading those words: they are most of what is in the table. */
export const searchPlaces: Migration = {
  version: 7,
  name: 'search places',
  up: (database) => database.exec('CREATE INDEX search_documents_by_place ON search_documents(id, task_id)'),
}
