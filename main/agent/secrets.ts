import type { Act } from '../contract/action.ts'
import type { Assertion } from '../contract/assertion.ts'
import type { ActResult } from '../contract/task.ts'
import { insertIntoCommand } from './secrets-in-commands.ts'

/**
 * Secrets the person gave, by name. Everything the planner, the trace and the logs hold says `{{name}}`; only what goes to
 * the machine has the value, and what comes back from it has the name again.
 */
export class Secrets {
  readonly #values: ReadonlyMap<string, string>
  readonly #marks: [mark: string, name: string][]

  constructor(values: Iterable<readonly [name: string, value: string]> = []) {
    this.#values = new Map(values)
    this.#marks = [...this.#values]
      .flatMap(([name, value]) => appearances(value).map((mark): [string, string] => [mark, name]))
      .sort(([a], [b]) => b.length - a.length) // a secret that is part of another must not break it
  }

  get names(): string[] {
    return [...this.#values.keys()]
  }

  /** The act for the machine. Only what is typed, run or written can carry a secret: never a path, a key or a place. */
  resolve(act: Act): Act {
    if (act.type === 'type' || act.type === 'write_file') return { ...act, text: this.#fill(act.text) }
    if (act.type === 'exec') return { ...act, command: insertIntoCommand(act.command, this.#values) }
    return act
  }

  /** For the check only: its verdict must be redacted. */
  resolveAssertion(assertion: Assertion): Assertion {
    if (assertion.check === 'not') return { ...assertion, of: this.resolveAssertion(assertion.of) }
    if (assertion.check === 'all' || assertion.check === 'any')
      return { ...assertion, of: assertion.of.map((part) => this.resolveAssertion(part)) }
    if (assertion.check === 'command' && assertion.output)
      return { ...assertion, output: { ...assertion.output, text: this.#fill(assertion.output.text) } }
    return 'text' in assertion ? { ...assertion, text: this.#fill(assertion.text) } : assertion
  }

  redact(text: string): string {
    let out = text
    for (const [mark, name] of this.#marks) if (out.includes(mark)) out = out.replaceAll(mark, `{{${name}}}`)
    return out
  }

  /** The beginning of a secret that a text ends with, not yet all of it: somebody is still typing. */
  begunIn(text: string): { name: string; part: string } | null {
    for (const [name, value] of this.#values)
      for (let length = Math.min(value.length - 1, text.length); length >= SHORTEST_PART; length--)
        if (text.endsWith(value.slice(0, length))) return { name, part: value.slice(0, length) }
    return null
  }

  redactResult(result: ActResult): ActResult {
    const { text, error } = result
    return {
      ...result,
      ...(text === undefined ? {} : { text: this.redact(text) }),
      ...(error === undefined ? {} : { error: this.redactDeep(error) }),
    }
  }

  /** Every string in a value, however deep: verdicts, evidence, errors. */
  redactDeep<T>(value: T): T {
    return this.#marks.length === 0 ? value : deep(value, (text) => this.redact(text))
  }

  #fill(text: string): string {
    return text.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) => this.#values.get(name) ?? whole)
  }
}

/** Shorter values would be found everywhere. */
export const SHORTEST_SECRET = 4

/** Less of one tells nothing. */
const SHORTEST_PART = 3

/** How a value may come back: as it is, in an address, in JSON, in base64, or line by line. */
function appearances(value: string): string[] {
  if (value.length < SHORTEST_SECRET) return []
  const base64 = Buffer.from(value).toString('base64').replace(/=+$/, '')
  const forms = [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    ...(value.length >= 6 ? [base64, base64.replaceAll('+', '-').replaceAll('/', '_')] : []),
    ...value.split(/\r?\n/).filter((line) => line.length >= 12),
  ]
  return [...new Set(forms)]
}

function deep<T>(value: T, change: (text: string) => string): T
function deep(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => deep(item, change))
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), deep(item, change)]))
}
