import vm from 'node:vm'
import { GodHandError } from '../../contract/errors.ts'
import type { Redaction } from '../../contract/trace.ts'

export type RedactText = (text: string) => string

const limitMs = 200

/** Plain text is looked for whatever its case. An expression that takes too long ends the export instead of leaking. */
export function textRedactor(patterns: Redaction['patterns']): RedactText {
  const steps = patterns.map(({ text, match, replacement }) =>
    match === 'text' ? plain(text, replacement) : expression(text, replacement),
  )
  return (text) => {
    const redacted = steps.reduce((rest, step) => step(rest), text)
    return redacted === '' && text !== '' ? '█' : redacted // some fields may not be empty
  }
}

function plain(text: string, replacement: string): RedactText {
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi')
  return (given) => given.replace(pattern, () => replacement)
}

function expression(source: string, replacement: string): RedactText {
  const pattern = compiled(source)
  const context = vm.createContext({ pattern, replacement, text: '' })
  const script = new vm.Script('text.replace(pattern, () => replacement)')
  return (text) => {
    context.text = text
    try {
      return String(script.runInContext(context, { timeout: limitMs }))
    } catch (cause) {
      throw new GodHandError('bad_request', `The expression /${source}/ takes too long on this trace.`, {
        cause,
        hint: 'Avoid nested repetition such as (a+)+. Nothing was exported.',
      })
    }
  }
}

function compiled(source: string): RegExp {
  try {
    return new RegExp(source, 'giu')
  } catch (cause) {
    throw new GodHandError('bad_request', `/${source}/ is not a regular expression.`, { cause })
  }
}

/** Names, times and words of a fixed list: they carry no content, and the trace would not be one without them. */
const structure = new Set(
  `id taskId machineId parentId parentSnapshot snapshotBefore snapshotAfter before after frame sinceFrame type check
   match button kind code state driver image planner templateKey createdAt startedAt endedAt importedAt sha256 chord
   modifiers`.split(/\s+/),
)
/** Below these, nothing has a fixed meaning, so everything is looked at: keys and numbers too. */
const free = new Set(['evidence', 'details'])

export function redactValue(value: unknown, redact: RedactText, inFree = false): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value === 'number' && inFree)
    return redact(String(value)) === String(value) ? value : redact(String(value))
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact, inFree))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (inFree) return [redact(key), redactValue(item, redact, true)]
      return [key, structure.has(key) ? item : redactValue(item, redact, free.has(key))]
    }),
  )
}
