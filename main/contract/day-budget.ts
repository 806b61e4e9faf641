import { z } from 'zod'
import { Usage } from './usage.ts'

/** How much all tasks of a day may take together. What is left out does not limit. */
export const DayLimits = z.object({
  maxSteps: z.number().int().min(1).optional(),
  maxMinutes: z.number().positive().optional(),
  maxTokens: z.number().int().min(1).optional(),
  maxUsd: z.number().positive().optional(),
})
export type DayLimits = z.infer<typeof DayLimits>

/** What they took so far. Time is that of the tasks, added up. */
export const DaySpent = z.object({
  day: z.string(), // 2026-11-20, where the person is
  steps: z.number().int().nonnegative(),
  elapsedMs: z.number().nonnegative(),
  usage: Usage,
})
export type DaySpent = z.infer<typeof DaySpent>

export const DayBudget = z.object({ limits: DayLimits, spent: DaySpent })
export type DayBudget = z.infer<typeof DayBudget>
