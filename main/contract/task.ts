import { z } from 'zod'
import { Act, Region } from './action.ts'
import { Assertion, CheckedAssertion } from './assertion.ts'
import { Attached } from './attachment.ts'
import { Branching, Checkpoints, Consequence, Recovery } from './branching.ts'
import { ErrorInfo } from './errors.ts'
import { AllowedHosts } from './machine.ts'
import { ModelChoice } from './model.ts'
import { ReplayChoice, ReplayedStep } from './replay.ts'
import { Usage } from './usage.ts'

/** One step of a script: things to do, then what must be true. */
export const ScriptStep = z.object({
  say: z.string(), // the thought, in words a watching person enjoys
  do: z.array(Act).default([]),
  expect: z.array(Assertion).default([]),
  timeoutSeconds: z.number().min(0.1).max(600).default(20),
})
export type ScriptStep = z.infer<typeof ScriptStep>

export const Script = z.object({
  goal: z.string(),
  steps: z.array(ScriptStep).min(1),
  finish: z.array(Assertion).min(1), // a task without a check at its end cannot succeed
  finishTimeoutSeconds: z.number().min(0.1).max(600).default(20),
})
export type Script = z.infer<typeof Script>
export type ScriptInput = z.input<typeof Script>

export const PlannerChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('demo') }),
  z.object({ kind: z.literal('script'), script: Script }),
  /** The person themselves, in the live view. They declare the end with `task.declare`. */
  z.object({ kind: z.literal('human') }),
  ...ModelChoice.options,
  ReplayChoice,
])
export type PlannerChoice = z.infer<typeof PlannerChoice>

export const Budget = z.object({
  maxSteps: z.number().int().min(1).max(10_000).default(100),
  maxMinutes: z
    .number()
    .min(0.1)
    .max(24 * 60)
    .default(60),
  maxTokens: z.number().int().min(1).optional(), // what is left out does not limit
  maxUsd: z.number().positive().optional(),
})
export type Budget = z.infer<typeof Budget>

/** When the person is asked before something is done: before everything, before what is risky, or never. */
export const Approval = z.enum(['always', 'risky', 'never'])
export type Approval = z.infer<typeof Approval>
export const ApprovalAnswer = z.enum(['allow', 'allow_all', 'deny'])
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>

/** What the task is about. A model that wants to go elsewhere must ask; what is left out is open. */
export const Scope = z.object({
  domains: z.array(z.string().trim().min(1).max(253)).max(100).optional(), // with their subdomains
  paths: z.array(z.string().regex(/^[/~]/, 'A folder begins with / or ~')).max(100).optional(),
})
export type Scope = z.infer<typeof Scope>

export const RunTask = z.object({
  goal: z.string().trim().min(1).max(20_000),
  image: z.string().default('desktop'),
  planner: PlannerChoice,
  budget: Budget.prefault({}),
  allow: AllowedHosts,
  scope: Scope.prefault({}),
  attached: Attached,
  approval: Approval.optional(), // left out: risky for models, never for what is scripted
  fromSnapshot: z.string().optional(), // goes on from there instead of on a fresh desktop
  branching: Branching.prefault({}),
  recovery: Recovery.optional(), // left out: the usual for models, never for what is scripted
  checkpoints: Checkpoints.optional(), // left out: the usual for models and scripts
  keepMachine: z.boolean().default(false), // leave the desktop running after the end
})
export type RunTask = z.infer<typeof RunTask>
export type RunTaskInput = z.input<typeof RunTask>

/**
 *  queued ──► preparing ──► running ──► succeeded
 *     │           │            ├──► failed (checks did not pass, or something broke; also while preparing)
 *     └───────────┴────────────┴──► stopped (the person) | interrupted (the engine or the model's service went away) ──► queued (resumed)
 */
export const TaskState = z.enum(['queued', 'preparing', 'running', 'succeeded', 'failed', 'stopped', 'interrupted'])
export type TaskState = z.infer<typeof TaskState>

/** What a task cannot go on without. `index` of a risk counts the acts; `frame` is the screen they are meant for. */
export const WaitingFor = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('approval'),
    acts: z.array(Act),
    risks: z.array(z.object({ index: z.number().int(), why: z.string() })),
    frame: z.string().nullable(),
    /** What they did in a throwaway copy; left out where none could be made. */
    consequence: Consequence.optional(),
  }),
  /** `answers`: words it is known to understand, where it is not open. */
  z.object({ kind: z.literal('question'), text: z.string(), answers: z.array(z.string()).optional() }),
])
export type WaitingFor = z.infer<typeof WaitingFor>

export const Task = z.object({
  id: z.string(),
  goal: z.string(),
  image: z.string(),
  planner: z.string(), // "demo", "script", "human", "<provider>:<model>"
  state: TaskState,
  machineId: z.string().nullable(),
  verdict: z.string().nullable(), // one sentence for the person
  error: ErrorInfo.nullable(),
  checks: z.array(CheckedAssertion), // the final ones
  stepCount: z.number().int(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** Known only while it runs, and never stored. */
  waitingFor: WaitingFor.nullish(),
  hold: z.enum(['paused', 'taken_over']).nullish(), // the act under way is finished first
})
export type Task = z.infer<typeof Task>

export const ActResult = z.object({
  ok: z.boolean(),
  said: z.string().optional(), // GodHand's own words about it
  text: z.string().optional(), // what a command printed, what a file holds, where the pointer is
  frame: z.string().optional(), // what was looked at
  snapshot: z.string().optional(), // what was kept
  error: ErrorInfo.optional(),
})
export type ActResult = z.infer<typeof ActResult>

export const Settle = z.object({
  changed: z.boolean(),
  settled: z.boolean(), // false: the bound was reached while the screen still moved
  tookMs: z.number(),
  boxes: z.array(Region), // where it changed
})
export type Settle = z.infer<typeof Settle>

/** A finished step. Written in one transaction when it is over: a crash loses at most the step in flight. */
export const Step = z.object({
  taskId: z.string(),
  index: z.number().int().nonnegative(),
  thought: z.string(),
  actions: z.array(z.object({ act: Act, result: ActResult })),
  before: z.string().nullable(), // frame hashes
  after: z.string().nullable(),
  settle: Settle.nullable(),
  checks: z.array(CheckedAssertion),
  verdict: z.enum(['pass', 'fail', 'unchecked']),
  snapshotBefore: z.string().nullable(),
  snapshotAfter: z.string().nullable(),
  startedAt: z.string(),
  timing: z.object({
    planMs: z.number(),
    actMs: z.number(),
    settleMs: z.number(),
    verifyMs: z.number(),
    totalMs: z.number(),
  }),
  branchId: z.string().optional(), // left out: on the task's own line
  machineId: z.string().optional(), // the machine it was done on
  by: z.literal('person').optional(), // done by hand while the person had taken over; left out: the agent
  usage: Usage.optional(), // what deciding took, where a model decided
  notices: z.array(z.string()).optional(), // what the person should know: what went wrong and was overcome, what nobody checked
  dialogue: z.object({ question: z.string(), answer: z.string().nullable() }).optional(), // null: nobody answered
  compared: z.array(ReplayedStep).optional(), // in a replay: recorded steps that were judged when this one was decided
})
export type Step = z.infer<typeof Step>
