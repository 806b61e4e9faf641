import vm from 'node:vm'
import { GodHandError } from '../../contract/errors.ts'

/** An expression from a model may be one that never ends on the wrong input: V8 stops it after this time. */
const limitMs = 100
const longestPattern = 2000
const longestText = 1_000_000

export type RegexMatch = { index: number; text: string }

const script = new vm.Script('pattern.exec(text)')

/** The first match, or null. Throws bad_request for an expression that is broken or takes too long. */
export function execBounded(source: string, text: string, flags = 'um'): RegexMatch | null {
  const pattern = compile(source, flags)
  try {
    const context = vm.createContext({ pattern, text: text.slice(0, longestText) })
    const match: unknown = script.runInContext(context, { timeout: limitMs })
    if (match === null || !Array.isArray(match) || !('index' in match)) return null
    return { index: Number(match.index), text: String(match[0]) }
  } catch (cause) {
    throw new GodHandError('bad_request', `The regular expression /${source}/ takes too long.`, {
      cause,
      hint: 'Avoid nested repetition such as (a+)+.',
    })
  }
}

function compile(source: string, flags: string): RegExp {
  if (source.length > longestPattern) throw new GodHandError('bad_request', 'The regular expression is too long.')
  try {
    return new RegExp(source, flags)
  } catch (strict) {
    try {
      // Outside Unicode mode needless escapes such as \- are allowed, and models write them.
      return new RegExp(source, flags.replace('u', ''))
    } catch {
      throw new GodHandError('bad_request', `/${source}/ is not a regular expression.`, { cause: strict })
    }
  }
}
