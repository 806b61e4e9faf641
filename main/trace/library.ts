import { z } from 'zod'
import { CheckedAssertion } from '../contract/assertion.ts'
import { ErrorInfo, GodHandError } from '../contract/errors.ts'
import { Task } from '../contract/task.ts'
import { type TraceEntry, type TraceHit, type TracePage, TraceQuery, type TraceQueryInput } from '../contract/trace.ts'
import { flag, json } from './columns.ts'
import type { Parameters, ReadConnection, WriteConnection } from './connection.ts'
import { excerpt } from './search-excerpt.ts'
import { type SearchQuery, searchQuery, type Term } from './search-query.ts'

export interface LibraryReader {
  /** Newest first, a page at a time. */
  find(query?: TraceQueryInput): TracePage
  /** Steps of finished traces whose screens nobody has read yet, the newest first. */
  unread(limit: number): { taskId: string; stepIndex: number; frame: string | null }[]
  /** Where in one trace the words stand, best first. */
  findSteps(taskId: string, text: string, limit?: number): TraceHit[]
}

export interface LibraryWriter {
  /** What was read on the screens of a step, so that it can be found by it. */
  setScreenText(taskId: string, stepIndex: number, text: string): void
}

const EntryRow = Task.extend({
  error: json(ErrorInfo).nullable(),
  checks: json(z.array(CheckedAssertion)),
  tags: json(z.array(z.string())),
  bytes: z.number().int(),
  imported: flag,
})
const columns = `t.id, t.goal, t.image, t.planner, t.state, t.machine_id AS machineId, t.verdict, t.error, t.checks,
  t.step_count AS stepCount, t.created_at AS createdAt, t.started_at AS startedAt, t.ended_at AS endedAt,
  (SELECT json_group_array(tag) FROM (SELECT tag FROM task_tags WHERE task_id = t.id ORDER BY tag)) AS tags,
  (SELECT coalesce(sum(f.bytes), 0) FROM task_frames tf JOIN frames f ON f.hash = tf.hash WHERE tf.task_id = t.id) AS bytes,
  EXISTS (SELECT 1 FROM imports WHERE task_id = t.id) AS imported`

export function libraryReader(connection: ReadConnection): LibraryReader {
  return {
    find(input = {}) {
      const query = TraceQuery.parse(input)
      const search = query.text === undefined ? null : searchQuery(query.text)
      if (query.text?.trim() && !search) return { entries: [], next: null } // only signs nobody indexes
      const { where, parameters } = conditions(query, search?.each ?? [])
      const rows = connection.all(
        EntryRow,
        `SELECT ${columns} FROM tasks t ${where} ORDER BY t.created_at DESC, t.id DESC LIMIT :limit`,
        { ...parameters, limit: query.limit + 1 },
      )
      const page = rows.slice(0, query.limit)
      const hits = search ? hitsOf(connection, search, page) : new Map<string, Hits>()
      const entries = page.map(({ tags, bytes, imported, ...task }): TraceEntry => {
        const { count = 0, best = null } = hits.get(task.id) ?? {}
        return { task, tags, bytes, imported, hits: count, best }
      })
      const last = page.at(-1)
      return { entries, next: rows.length > query.limit && last ? `${last.createdAt} ${last.id}` : null }
    },

    unread: (limit) =>
      connection.all(
        UnreadRow,
        `SELECT d.task_id AS taskId, d.step_index AS stepIndex, s.after_frame AS frame FROM search_documents d
           JOIN tasks t ON t.id = d.task_id JOIN steps s ON s.task_id = d.task_id AND s.step_index = d.step_index
           WHERE d.seen = '' AND t.ended_at IS NOT NULL ORDER BY d.id DESC LIMIT :limit`,
        { limit },
      ),

    findSteps(taskId, text, limit = 100) {
      const search = searchQuery(text)
      if (!search) return []
      const found = connection.all(
        PlaceRow,
        `SELECT d.id FROM ${matches} WHERE search_text MATCH :any AND d.task_id = :taskId ORDER BY rank LIMIT :limit`,
        { any: search.any, taskId, limit },
      )
      const hits = excerptsOf(connection, found, search.terms)
      return found.flatMap(({ id }) => hits.get(id) ?? [])
    },
  }
}

export function libraryWriter(connection: WriteConnection): LibraryWriter {
  return {
    setScreenText: (taskId, stepIndex, text) => {
      const changed = connection.run(
        'UPDATE search_documents SET seen = :text WHERE task_id = :taskId AND coalesce(step_index, -1) = :stepIndex',
        { taskId, stepIndex, text: text.slice(0, 20_000) || ' ' }, // a space: read, and nothing stood there
      )
      if (changed === 0) throw new GodHandError('not_found', `There is no step ${stepIndex} of ${taskId}.`)
    },
  }
}

function conditions(query: TraceQuery, each: string[]): { where: string; parameters: Parameters } {
  const parts: string[] = []
  const parameters: Parameters = {}
  const add = (part: string, values: Parameters) => {
    parts.push(part)
    Object.assign(parameters, values)
  }
  if (query.states) add('t.state IN (SELECT value FROM json_each(:states))', { states: JSON.stringify(query.states) })
  if (query.tag !== undefined)
    add('EXISTS (SELECT 1 FROM task_tags WHERE task_id = t.id AND tag = :tag)', { tag: query.tag })
  if (query.app !== undefined)
    add('EXISTS (SELECT 1 FROM task_apps WHERE task_id = t.id AND app = :app)', { app: query.app })
  if (query.planner !== undefined) add('substr(t.planner, 1, length(:planner)) = :planner', { planner: query.planner })
  if (query.from !== undefined) add('t.created_at >= :from', { from: query.from })
  if (query.to !== undefined) add('t.created_at < :to', { to: query.to })
  if (query.after !== undefined) {
    const [time = '', id = ''] = query.after.split(' ')
    add('(t.created_at, t.id) < (:time, :id)', { time, id })
  }
  each.forEach((word, n) => {
    add(`t.id IN (SELECT d.task_id FROM ${matches} WHERE search_text MATCH :word${n})`, { [`word${n}`]: word })
  })
  return { where: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '', parameters }
}

type Hits = { count: number; best: TraceHit | null }

const UnreadRow = z.object({ taskId: z.string(), stepIndex: z.number().int(), frame: z.string().nullable() })
const PlaceRow = z.object({ id: z.number().int() })
const HitsRow = z.object({ taskId: z.string(), count: z.number().int(), first: z.number().int() })
const Words = z.object({
  id: z.number().int(),
  stepIndex: z.number().int().nullable(),
  said: z.string(),
  did: z.string(),
  found: z.string(),
  seen: z.string(),
})
/** The index is named because SQLite would rather read the whole row, with all its words. */
const matches = `search_text CROSS JOIN search_documents d INDEXED BY search_documents_by_place ON d.id = search_text.rowid`
/** Of all traces: to leave out those that are not on the page costs SQLite more than to count them. */
const countHits = `SELECT d.task_id AS taskId, count(*) AS count, min(d.id) AS first FROM ${matches}
  WHERE search_text MATCH :words GROUP BY d.task_id`

/**
 * How many places each trace has, and the best: the first in which all words stand together, else the first at all. The
 * goal comes before the steps. To weigh every place against every other would take longer than a person likes to wait.
 */
function hitsOf(connection: ReadConnection, search: SearchQuery, tasks: { id: string }[]): Map<string, Hits> {
  const onPage = new Set(tasks.map(({ id }) => id))
  const hitsFor = (words: string) =>
    connection.all(HitsRow, countHits, { words }).filter(({ taskId }) => onPage.has(taskId))
  const together = new Map(
    search.each.length > 1 ? hitsFor(search.all).map(({ taskId, first }) => [taskId, first]) : [],
  )
  const counted = hitsFor(search.any).map((hits) => ({ ...hits, id: together.get(hits.taskId) ?? hits.first }))
  const shown = excerptsOf(connection, counted, search.terms)
  return new Map(counted.map(({ taskId, count, id }) => [taskId, { count, best: shown.get(id) ?? null }]))
}

function excerptsOf(connection: ReadConnection, places: { id: number }[], terms: Term[]): Map<number, TraceHit> {
  const rows = connection.all(
    Words,
    `SELECT id, step_index AS stepIndex, said, did, found, seen FROM search_documents
       WHERE id IN (SELECT value FROM json_each(:ids))`,
    { ids: JSON.stringify(places.map(({ id }) => id)) },
  )
  return new Map(
    rows.map(({ id, stepIndex, said, did, found, seen }) => [
      id,
      { stepIndex, text: excerpt([said, did, found, seen], terms) },
    ]),
  )
}
