import { basename } from 'node:path/posix'
import type Database from 'better-sqlite3'
import { z } from 'zod'
import type { Assertion } from '../contract/assertion.ts'
import { Step } from '../contract/task.ts'
import { json } from './columns.ts'
import type { ReadConnection, WriteConnection } from './connection.ts'

export interface AppReader {
  /** Every program some trace ran, with the number of traces that did; the commonest first. */
  all(): { app: string; count: number }[]
}

const Counted = z.object({ app: z.string(), count: z.number().int() })

export function appReader(connection: ReadConnection): AppReader {
  return {
    all: () =>
      connection.all(Counted, 'SELECT app, count(*) AS count FROM task_apps GROUP BY app ORDER BY count DESC, app'),
  }
}

export function rememberApps(connection: WriteConnection, step: Pick<Step, 'taskId' | 'actions' | 'checks'>): void {
  for (const app of appsIn(step))
    connection.run('INSERT INTO task_apps (task_id, app) VALUES (:taskId, :app) ON CONFLICT DO NOTHING', {
      taskId: step.taskId,
      app,
    })
}

const Row = z.object({ taskId: z.string(), actions: json(Step.shape.actions), checks: json(Step.shape.checks) })

/** For a database that has steps from before this was kept. What cannot be read is left out, not fatal. */
export function rememberAppsOfAll(database: Database.Database): void {
  const insert = database.prepare('INSERT INTO task_apps (task_id, app) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const one = database.prepare('SELECT task_id AS taskId, actions, checks FROM steps WHERE id = ?')
  for (const id of database.prepare('SELECT id FROM steps').pluck().all()) {
    const row = Row.safeParse(one.get(id))
    if (row.success) for (const app of appsIn(row.data)) insert.run(row.data.taskId, app)
  }
}

/** Programs a step started, or found running. What a click started has no name here; its checks may. */
export function appsIn({ actions, checks }: Pick<Step, 'actions' | 'checks'>): string[] {
  const started = actions.flatMap(({ act, result }) =>
    act.type === 'exec' && result.ok ? programsIn(act.command) : [],
  )
  const found = checks.flatMap(({ assertion, verdict }) => (verdict.pass ? namedIn(assertion) : []))
  return [...new Set([...started, ...found])].slice(0, 50)
}

function namedIn(assertion: Assertion): string[] {
  switch (assertion.check) {
    case 'process_running':
      return named(assertion.name)
    case 'browser':
      return ['firefox']
    case 'command':
      return named(assertion.argv[0] ?? '')
    case 'all':
    case 'any':
      return assertion.of.flatMap(namedIn)
    default:
      return []
  }
}

/** Words before the program, and what belongs to the shell itself. */
const before = /^(do|then|else|sudo|setsid|nohup|exec|env|time|nice|[A-Za-z_]\w*=\S*|-\S+)$/
const shellWords = new Set(
  'if fi for done while case esac in true false test echo printf cd sleep export set exit wait read kill sh bash'.split(
    ' ',
  ),
)

function programsIn(command: string): string[] {
  const plain = command.replace(/'[^']*'|"[^"]*"|<<.*$/gs, ' ')
  return plain.split(/[;&|\n(){}]+/).flatMap((part) => {
    const word = part
      .trim()
      .split(/\s+/)
      .find((each) => !before.test(each))
    return word ? named(word) : []
  })
}

function named(word: string): string[] {
  const name = basename(word).toLowerCase()
  return /^[a-z0-9][a-z0-9._+-]{1,60}$/.test(name) && !shellWords.has(name) ? [name] : []
}
