import { z } from 'zod'
import { ReplayedStep } from './replay.ts'
import { Step, Task } from './task.ts'

/** Two traces beside each other, step by step. */
export const ComparedRow = z.object({
  a: z.number().int().nullable(), // index of the step; null: only the other has one here
  b: z.number().int().nullable(),
  /** same: the same was done and came out alike. differs: the same was done, `differences` says what came out otherwise. */
  kind: z.enum(['same', 'differs', 'only_a', 'only_b']),
  differences: z.array(z.string()),
  replayed: ReplayedStep.optional(), // when b is a replay of a: what it found
})
export type ComparedRow = z.infer<typeof ComparedRow>

const Side = z.object({ task: Task, steps: z.array(Step) })
export const TraceComparison = z.object({
  a: Side,
  b: Side,
  rows: z.array(ComparedRow),
  summary: z.array(z.string()), // in sentences: how they ended, how long they took, where they part
})
export type TraceComparison = z.infer<typeof TraceComparison>
