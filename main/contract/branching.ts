import { z } from 'zod'
import { CheckedAssertion } from './assertion.ts'
import { EgressAttempt } from './egress.ts'
import { ErrorInfo } from './errors.ts'
import { Snapshot } from './machine.ts'
import { ModelChoice } from './model.ts'
import { StateDiff } from './state-diff.ts'
import { Usage } from './usage.ts'

/** Branches of a task: how far they may go, how they are judged, and what is remembered of them. */

/** What counts, in this order, once a branch's checks hold: the first that tells two branches apart decides. */
export const Criterion = z.enum([
  'wanted', // more changes of what the rules name as wanted
  'unwanted', // fewer changes nobody asked for
  'failures', // fewer steps that failed on the way
  'usd',
  'tokens',
  'steps',
  'time',
  'screen', // fewer lines on its last screen that speak of trouble; read only when all before it tell nothing apart
])
export type Criterion = z.infer<typeof Criterion>

/** Written to be read and changed by a person. Paths are of the guest; `*` stands for anything. */
export const JudgeRules = z.object({
  order: z.array(Criterion).default(['wanted', 'unwanted', 'failures', 'usd', 'tokens', 'steps', 'screen']),
  /** Costs (money, tokens, steps, time) that differ by no more than this share count as equal. */
  slack: z.number().min(0).max(1).default(0.25),
  /** Changes of these are what the task is about: more of them is better, and they are never held against a branch. */
  wanted: z.array(z.string()).default([]),
  /** Changes of these are never held against a branch. */
  ignore: z
    .array(z.string())
    .default(['*/.cache/*', '*/.config/*', '*/.local/share/*', '*/.*history', '*/.X*', '*/.ICE*', '/tmp/*', '/var/*']),
  /** Changes of these always are. Beside them: files removed, packages removed, ports opened. */
  unwanted: z.array(z.string()).default(['/etc/*', '/boot/*', '/usr/*']),
  /** Where all of that leaves a tie: a model is shown the evidence, or the way named first wins. */
  ties: z.enum(['model', 'first']).default('model'),
  /** Who breaks them; left out: the model that plans. A script has none, unless it is named here. */
  judge: ModelChoice.optional(),
})
export type JudgeRules = z.infer<typeof JudgeRules>

export const Branching = z.object({
  width: z.number().int().min(1).max(16).default(6), // options of one branch
  depth: z.number().int().min(0).max(4).default(2), // branches within branches; 0: none at all
  machines: z.number().int().min(1).max(16).default(4), // of one task at once, its own aside
  /** Before a loser's machine goes. files: those it made are fetched; keep: all of it, as a snapshot to go on from. */
  losers: z.enum(['drop', 'files', 'keep']).default('drop'),
  rules: JudgeRules.optional(), // left out: the person's own
})
export type Branching = z.infer<typeof Branching>

/** After so many failed checks in a row the machine goes back to the last good checkpoint, so many times at most. */
export const Recovery = z.object({
  after: z.number().int().min(1).max(20).default(3),
  times: z.number().int().min(0).max(20).default(2), // 0: never
})
export type Recovery = z.infer<typeof Recovery>

/** What a task keeps by itself, beside what is kept before a risky step and after a branch. */
export const Checkpoints = z.object({
  every: z.number().int().min(0).max(1000).default(5), // good steps; 0: none of these
  most: z.number().int().min(0).max(1000).default(30), // of one task, all kinds and all branches together: they cost disk
})
export type Checkpoints = z.infer<typeof Checkpoints>

/**
 *  waiting ──► running ──► passed (its checks hold) | failed | timed_out
 *     │           └──► interrupted (the engine died, or the task was stopped)
 *     └──► refused (no room on this host)
 */
export const BranchState = z.enum(['waiting', 'running', 'passed', 'failed', 'timed_out', 'refused', 'interrupted'])
export type BranchState = z.infer<typeof BranchState>

export const BranchCost = z.object({
  steps: z.number().int(),
  failures: z.number().int(),
  ms: z.number(),
  usage: Usage,
})
export type BranchCost = z.infer<typeof BranchCost>

export const Branch = z.object({
  id: z.string(),
  taskId: z.string(),
  decisionId: z.string(), // the same for all options of one branch act
  parentId: z.string().nullable(), // the branch this one was made in
  option: z.number().int().nonnegative(),
  plan: z.string(),
  planner: z.string(),
  fromSnapshot: z.string().nullable(), // where all of them began; null: it is gone
  machineId: z.string().nullable(),
  state: BranchState,
  won: z.boolean(), // its machine became the task's
  verdict: z.string().nullable(), // one sentence
  reasons: z.array(z.string()), // of the judge
  checks: z.array(CheckedAssertion),
  changes: z.array(z.string()), // what it changed in the machine, in sentences
  wanted: z.array(z.string()).default([]), // those of them the rules name as wanted
  unwanted: z.array(z.string()), // and those nobody asked for
  diff: StateDiff.nullable(),
  cost: BranchCost,
  endSnapshot: z.string().nullable(), // where a loser was kept
  files: z.array(z.string()).default([]), // those it made that were fetched before it went
  frame: z.string().nullable(), // its last screen
  createdAt: z.string(),
  endedAt: z.string().nullable(),
})
export type Branch = z.infer<typeof Branch>

/** What a risky step did in a throwaway copy of the machine, for the person to allow or not. */
export const Consequence = z.object({
  diff: StateDiff,
  changes: z.array(z.string()), // the diff in sentences
  before: z.string().nullable(), // frames
  after: z.string().nullable(),
  outputs: z.array(z.string()), // what the acts answered, in order
  egress: z.array(EgressAttempt), // tried and held back. Then it is done anew for real when it is allowed.
})
export type Consequence = z.infer<typeof Consequence>

/** A machine of a task, living or gone. */
export const LineageMachine = z.object({
  id: z.string(),
  name: z.string(),
  parentSnapshot: z.string().nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  endReason: ErrorInfo.nullable(),
})

/** A step without its pictures and words: where it stands in the tree. */
export const LineageStep = z.object({
  index: z.number().int(),
  branchId: z.string().nullable(), // null: on the task's own line
  machineId: z.string().nullable(),
  verdict: z.enum(['pass', 'fail', 'unchecked']),
  thought: z.string(),
  snapshotBefore: z.string().nullable(),
  snapshotAfter: z.string().nullable(),
})

/** The whole tree of one task. */
export const Lineage = z.object({
  taskId: z.string(),
  fromSnapshot: z.string().nullable(), // where the task began; null: a fresh desktop
  machineId: z.string().nullable(), // the task's own, now or at its end
  machines: z.array(LineageMachine),
  snapshots: z.array(Snapshot),
  branches: z.array(Branch),
  steps: z.array(LineageStep),
})
export type Lineage = z.infer<typeof Lineage>
