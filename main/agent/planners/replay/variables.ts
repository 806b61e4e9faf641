import { Act } from '../../../contract/action.ts'
import { Assertion } from '../../../contract/assertion.ts'
import type { ReplayChoice } from '../../../contract/replay.ts'

export type Variable = ReplayChoice['variables'][number]

export type Substitution = {
  act(act: Act): Act
  /** Null when it can no longer be expected: a hash or a picture of what was different then. */
  assertion(assertion: Assertion): Assertion | null
  readonly changes: boolean
}

export function substitution(variables: Variable[]): Substitution {
  const used = variables.filter(({ recorded, value }) => recorded !== '' && recorded !== value)
  const inText = replacer(used)
  const inExpression = replacer(
    used.map(({ recorded, value }) => ({ recorded: escaped(recorded), value: escaped(value) })),
  )
  return {
    changes: used.length > 0,
    act: (act) => (used.length > 0 ? Act.parse(mapped(act, inText, inExpression)) : act),
    assertion: (assertion) => {
      if (used.length === 0) return assertion
      return mentionsPast(assertion) ? null : Assertion.parse(mapped(assertion, inText, inExpression))
    },
  }
}

/** All at once and the longest first, so that a value put in is not replaced again. */
function replacer(variables: Variable[]): (text: string) => string {
  if (variables.length === 0) return (text) => text
  const values = new Map(variables.map(({ recorded, value }) => [recorded, value]))
  const longestFirst = [...values.keys()].toSorted((a, b) => b.length - a.length)
  const pattern = new RegExp(longestFirst.map(escaped).join('|'), 'g')
  return (text) => text.replace(pattern, (found) => values.get(found) ?? found)
}

/** Where content stands; everything else in an action or assertion has a fixed meaning. */
const content = new Set(['text', 'command', 'path', 'argv', 'title', 'name'])

function mapped(value: unknown, inText: (text: string) => string, inExpression: (text: string) => string): unknown {
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'string' ? item : mapped(item, inText, inExpression)))
  if (typeof value !== 'object' || value === null) return value
  const isExpression = 'match' in value && value.match === 'regex'
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (content.has(key) && typeof item === 'string')
        return [key, isExpression && key !== 'path' ? inExpression(item) : inText(item)]
      if (key === 'argv' && Array.isArray(item))
        return [key, item.map((part) => (typeof part === 'string' ? inText(part) : part))]
      return [key, mapped(item, inText, inExpression)]
    }),
  )
}

function mentionsPast(assertion: Assertion): boolean {
  switch (assertion.check) {
    case 'file_hash':
    case 'region_equals':
      return true
    case 'all':
    case 'any':
      return assertion.of.some(mentionsPast)
    case 'not':
      return mentionsPast(assertion.of)
    default:
      return false
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
