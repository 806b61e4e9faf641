import { z } from 'zod'

/** A column that holds JSON text of the given shape. */
export function json<T extends z.ZodType>(shape: T) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue({ code: 'custom', message: 'not JSON' })
        return z.NEVER
      }
    })
    .pipe(shape)
}

/** A column that holds 0 or 1. */
export const flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1)

/** A column that may be empty, for a field that is then left out. */
export function orNothing<T extends z.ZodType>(shape: T) {
  return shape.nullable().transform((value) => value ?? undefined)
}
