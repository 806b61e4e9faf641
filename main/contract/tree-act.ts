import { z } from 'zod'
import { Assertion } from './assertion.ts'
import { ModelChoice } from './model.ts'

/** What the agent does to its own machine as a whole: keep it, go back, try several ways. */

export const BranchLimits = z.object({
  maxSteps: z.number().int().min(1).max(1000).default(30),
  maxSeconds: z.number().min(1).max(7200).default(600), // a branch that hangs ends here
})
export type BranchLimits = z.infer<typeof BranchLimits>

/** One way to try. A model goes on in the same conversation with the plan; a script brings steps of its own. */
export const BranchOption = z.object({
  plan: z.string().trim().min(1).max(5000),
  planner: ModelChoice.optional(), // another model: it is given the goal and the plan, not the conversation
  steps: z.array(z.unknown()).min(1).max(200).optional(), // ScriptStep[]; read when the script is, because branches nest
  finish: z.array(Assertion).max(20).optional(), // of those steps
  finishTimeoutSeconds: z.number().min(0.1).max(600).optional(), // how long it may take until that holds
})
export type BranchOption = z.infer<typeof BranchOption>

export const TreeAct = z.discriminatedUnion('type', [
  z.object({ type: z.literal('checkpoint'), label: z.string().trim().min(1).max(200) }),
  /** `to`: a checkpoint's label or id. */
  z.object({ type: z.literal('rollback'), to: z.string().min(1).max(200), why: z.string().max(2000) }),
  z.object({
    type: z.literal('branch'),
    options: z.array(BranchOption).min(1).max(16),
    checks: z.array(Assertion).max(20).default([]), // what any way must lead to, beside what it checks itself
    limits: BranchLimits.prefault({}),
  }),
])
export type TreeAct = z.infer<typeof TreeAct>
export type BranchAct = TreeAct & { type: 'branch' }

export function isTreeAct(act: { type: string }): act is TreeAct {
  return act.type === 'checkpoint' || act.type === 'rollback' || act.type === 'branch'
}
