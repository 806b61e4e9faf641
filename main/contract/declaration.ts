import { z } from 'zod'
import { Assertion } from './assertion.ts'

/** How a person ends a task they did by hand: with checks, which are run and must hold, or by their word alone. */
export const Declaration = z.object({
  success: z.boolean().default(true),
  summary: z.string().trim().min(1).max(5000),
  checks: z.array(Assertion).max(20).default([]),
  timeoutSeconds: z.number().min(0).max(600).default(10),
})
export type Declaration = z.infer<typeof Declaration>
