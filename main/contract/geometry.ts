import { z } from 'zod'

/** Places on the native screen, in pixels. */

export const Point = z.object({ x: z.number(), y: z.number() })
export type Point = z.infer<typeof Point>

export const Region = z.object({
  x: z.number().int().nonnegative(),
  y: z.number().int().nonnegative(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
})
export type Region = z.infer<typeof Region>
