import { z } from 'zod'
import { Machine } from './machine.ts'
import { Task } from './task.ts'

/** Opening the machine of a trace as it was at one of its steps. */
export const BootStep = z.object({
  taskId: z.string(),
  step: z.number().int().nonnegative(),
  moment: z.enum(['before', 'after']).default('after'),
})
export type BootStep = z.infer<typeof BootStep>

export const BootedStep = z.discriminatedUnion('kind', [
  /** It was kept then, and lives again. */
  z.object({ kind: z.literal('machine'), machine: Machine }),
  /** It was not kept: a task does the last steps again from the nearest moment that was, and leaves its machine running. */
  z.object({ kind: z.literal('replaying'), task: Task, fromSnapshot: z.string().nullable(), steps: z.number().int() }),
])
export type BootedStep = z.infer<typeof BootedStep>
