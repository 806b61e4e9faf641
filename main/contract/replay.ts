import { z } from 'zod'

/** Doing again what a trace did, on a fresh machine and without a model. */
export const ReplayChoice = z.object({
  kind: z.literal('replay'),
  taskId: z.string(), // the trace
  /** Values of the recording that others take the place of, wherever they were typed, run, written or expected. */
  variables: z
    .array(z.object({ name: z.string().max(100).optional(), recorded: z.string().min(1), value: z.string() }))
    .max(100)
    .default([]),
  upTo: z.number().int().nonnegative().optional(), // index of the last step to do again; left out: all of them
  /** Where the screen is not as it was: end there with the reason, or ask the person how to go on. */
  disagreement: z.enum(['stop', 'ask']).default('stop'),
})
export type ReplayChoice = z.infer<typeof ReplayChoice>

/** A recorded step and what came of it now. */
export const ReplayedStep = z.object({
  index: z.number().int(),
  /**
   * agrees: looks and is as recorded. moved: a target was elsewhere. differs: its checks hold, but the screen looks
   * different. skipped: the person let it go. stopped: it went no further.
   */
  outcome: z.enum(['agrees', 'moved', 'differs', 'skipped', 'stopped']),
  note: z.string().nullable(),
  share: z.number().nullable(), // of the pixels that differ from the recording afterwards
  targets: z.array(
    z.object({
      recorded: z.object({ x: z.number(), y: z.number() }),
      at: z.object({ x: z.number(), y: z.number() }),
      by: z.enum(['place', 'picture', 'text']),
      what: z.string().optional(), // the words it was found by
    }),
  ),
})
export type ReplayedStep = z.infer<typeof ReplayedStep>
