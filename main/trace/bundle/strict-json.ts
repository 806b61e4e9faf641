import { z } from 'zod'
import { Refusal } from './refusal.ts'

/** Deeper than any trace; programs that walk the value must not run out of stack. */
const deepest = 100

export function parseStrictly<T>(text: string, shape: z.ZodType<T>, where: string): T {
  refuseDepth(text, where)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Refusal('json', where, 'It is not JSON.', cause)
  }
  const result = shape.safeParse(value)
  if (!result.success) throw new Refusal('shape', where, firstIssue(result.error), result.error)
  return result.data
}

function firstIssue(error: z.ZodError): string {
  const message = z.prettifyError(error).split('\n').slice(0, 2).join(' ')
  return message.length > 300 ? `${message.slice(0, 299)}…` : message
}

function refuseDepth(text: string, where: string): void {
  let depth = 0
  let quoted = false
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n)
    if (quoted) {
      if (code === 92) n++
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if (code === 91 || code === 123) {
      if (++depth > deepest) throw new Refusal('limit', where, `It is nested more than ${deepest} levels deep.`)
    } else if (code === 93 || code === 125) depth--
  }
}
