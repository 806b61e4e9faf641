import fs from 'node:fs'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { migrate, schemaVersion } from './migrate.ts'

/** Writes docs/schema.md from a database made by the migrations: `node main/trace/schema-doc.ts`. */

export const schemaDocFile = new URL('../../docs/schema.md', import.meta.url)

const Table = z.object({ name: z.string(), sql: z.string() })
const Column = z.object({ name: z.string(), type: z.string(), notnull: z.number(), pk: z.number() })
const Reference = z.object({ from: z.string(), table: z.string(), to: z.string(), on_delete: z.string() })
const Part = z.object({ name: z.string(), type: z.enum(['index', 'trigger']), sql: z.string() })

export function schemaDoc(): string {
  const database = new Database(':memory:')
  try {
    migrate(database)
    const ask = <T>(row: z.ZodType<T>, sql: string, ...values: string[]) =>
      z.array(row).parse(database.prepare(sql).all(...values))
    // A full-text index and the tables it keeps its data in are parts of the table it indexes.
    const tables = ask(
      Table,
      `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
         AND name IN (SELECT name FROM pragma_table_list WHERE type = 'table') ORDER BY rowid`,
    )
    const sections = tables.map(({ name, sql }) => {
      const columns = ask(Column, 'SELECT name, type, "notnull", pk FROM pragma_table_info(?)', name)
      const references = ask(Reference, 'SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list(?)', name)
      const parts = ask(
        Part,
        `SELECT name, type, sql FROM sqlite_schema WHERE tbl_name = ? AND type <> 'table' AND sql IS NOT NULL
           ORDER BY rowid`,
        name,
      )
      return section(name, sql, columns, references, parts)
    })
    return `${heading(schemaVersion(database))}\n${sections.join('\n')}`
  } finally {
    database.close()
  }
}

function heading(version: number): string {
  return `# The database, version ${version}

Generated from the live schema by \`node main/trace/schema-doc.ts\`; a test fails when it is out of date. The file is
\`godhand.db\` in the data folder (SQLite, WAL). Versions only go forward; a newer file is refused and left alone.
`
}

function section(
  name: string,
  sql: string,
  columns: z.infer<typeof Column>[],
  references: z.infer<typeof Reference>[],
  parts: z.infer<typeof Part>[],
): string {
  const rows = columns.map((column) => {
    const reference = references.find((candidate) => candidate.from === column.name)
    const action = reference && reference.on_delete !== 'NO ACTION' ? ` (${reference.on_delete.toLowerCase()})` : ''
    return row([
      `${column.name}${column.pk > 0 ? ' (key)' : ''}`,
      `${column.type}${column.notnull || column.pk ? '' : ', may be null'}`,
      reference ? `${reference.table}.${reference.to}${action}` : '',
      commentAfter(sql, column.name),
    ])
  })
  const extras = parts.map((part) => `- ${part.type} \`${part.name}\`: ${summary(part.sql)}`)
  return [
    `## ${name}`,
    '',
    plain(/^\s*-- (.*)$/m.exec(sql)?.[1] ?? ''),
    '',
    row(['column', 'type', 'refers to (on delete)', 'meaning']),
    '|---|---|---|---|',
    ...rows,
    ...(extras.length > 0 ? ['', ...extras] : []),
    '',
  ].join('\n')
}

function row(cells: string[]): string {
  return `| ${cells.map((cell) => plain(cell).replaceAll('|', '\\|')).join(' | ')} |`
}

/** Markdown would take <hash> for a tag. */
function plain(text: string): string {
  return text.replaceAll('<', '\\<')
}

/** SQLite keeps the text of CREATE TABLE, comments and all. */
function commentAfter(sql: string, column: string): string {
  return new RegExp(`^\\s*"?${column}"? [A-Z].*? -- (.*)$`, 'm').exec(sql)?.[1] ?? ''
}

/** An index by what it covers, a trigger by what it says when it refuses, or by when it acts on what. */
function summary(sql: string): string {
  const flat = sql.replace(/\s+/g, ' ')
  const refusal = /RAISE\(ABORT, '(.*?)'\)/.exec(flat)?.[1]
  const upkeep = /AFTER (\w+) .*? INSERT INTO (\w+)/.exec(flat)
  if (refusal) return refusal
  if (upkeep) return `keeps ${upkeep[2]} after ${upkeep[1]?.toLowerCase()}`
  return /\bON (\S+\(.*)$/.exec(flat)?.[1] ?? flat
}

if (import.meta.main) fs.writeFileSync(schemaDocFile, schemaDoc())
