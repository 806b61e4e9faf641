import { z } from 'zod'
import { Action } from './action.ts'
import { Branch, Lineage } from './branching.ts'
import { DayBudget, DayLimits } from './day-budget.ts'
import { EgressAttempt } from './egress.ts'
import { ErrorInfo } from './errors.ts'
import { Image } from './image.ts'
import { Capabilities, CreateMachine, ExecResult, Machine, Snapshot } from './machine.ts'
import { Progress } from './progress.ts'
import { Collected, SnapshotUse } from './snapshots.ts'
import { StateDiff } from './state-diff.ts'
import { ApprovalAnswer, RunTask, Step, Task } from './task.ts'
import { ExportFormat, Freed, Redaction, TracePage, TraceQuery } from './trace.ts'

/** Every call the engine answers. The server parses the input, the client parses the output. */

const machineId = z.object({ machineId: z.string() })
const taskId = z.object({ taskId: z.string() })
const words = z.string().trim().min(1).max(20_000)
const snapshotId = z.object({ snapshotId: z.string() })
const nothing = z.object({})
const method = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output })

export const DoctorCheck = z.object({
  name: z.string(),
  status: z.enum(['ok', 'warning', 'problem', 'unproven']),
  summary: z.string(),
  hint: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
})
export type DoctorCheck = z.infer<typeof DoctorCheck>

/** Whether a fresh desktop can be had at once, and if not, how far the preparation is. */
export const Readiness = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('preparing'), progress: Progress }),
  z.object({ kind: z.literal('ready'), image: z.string(), accelerator: z.string() }),
  z.object({ kind: z.literal('broken'), error: ErrorInfo }),
])
export type Readiness = z.infer<typeof Readiness>

const SecretNames = z.object({ names: z.array(z.string()), warning: z.string().nullable() })
const namedValue = z.object({ name: z.string(), value: z.string().max(100_000) })

export const methods = {
  'engine.info': method(
    nothing,
    z.object({
      version: z.string(),
      pid: z.number().int(),
      home: z.string(),
      startedAt: z.string(),
      readiness: Readiness,
      capabilities: Capabilities,
      notices: z.array(z.string()), // what the person should know about the last run: crashes, orphans removed
    }),
  ),
  'engine.doctor': method(nothing, z.array(DoctorCheck)),
  'engine.shutdown': method(nothing, nothing),
  'task.run': method(RunTask, Task),
  'task.list': method(z.object({ limit: z.number().int().min(1).max(1000).default(200) }), z.array(Task)),
  'task.get': method(z.object({ taskId: z.string() }), z.object({ task: Task, steps: z.array(Step) })),
  'task.stop': method(z.object({ taskId: z.string() }), Task),
  /** The step under way is finished first. Time does not run meanwhile. */
  'task.pause': method(taskId, Task),
  'task.resume': method(taskId, Task),
  /** Reaches the very next turn. */
  'task.guide': method(taskId.extend({ text: words }), Task),
  'task.answer': method(taskId.extend({ text: words }), Task),
  'task.approve': method(taskId.extend({ answer: ApprovalAnswer }), Task),
  /** The agent waits and the person drives: what they do by `vm.act` on its machine becomes part of the trace. */
  'task.takeOver': method(taskId, Task),
  'task.handBack': method(taskId, Task),
  /** Goes on with a task that an engine left behind: same conversation, same trace, on a new machine. */
  'task.resumeInterrupted': method(taskId, Task),
  /** Machines, snapshots, branches and steps of a task as one tree. */
  'lineage.get': method(taskId, Lineage),
  'budget.day.get': method(nothing, DayBudget),
  /** All of them at once: what is left out limits no more. */
  'budget.day.set': method(DayLimits, DayBudget),
  /** Names only: a value never comes back. */
  'secret.list': method(nothing, SecretNames),
  'secret.set': method(namedValue, nothing),
  'secret.remove': method(z.object({ name: z.string() }), nothing),
  'key.list': method(nothing, SecretNames),
  'key.set': method(namedValue.extend({ name: z.enum(['anthropic', 'openai']) }), nothing),
  'trace.search': method(TraceQuery, TracePage),
  /** Into a file on this host, there whole or not at all. */
  'trace.export': method(
    z.object({
      taskId: z.string(),
      format: ExportFormat.default('bundle'),
      file: z.string().min(1),
      redact: Redaction.optional(),
    }),
    z.object({ file: z.string(), bytes: z.number().int() }),
  ),
  'trace.import': method(z.object({ file: z.string().min(1), copy: z.boolean().default(false) }), Task),
  'trace.delete': method(z.object({ taskId: z.string() }), Freed),
  'vm.create': method(CreateMachine, Machine),
  'vm.list': method(nothing, z.array(Machine)),
  'vm.exec': method(
    machineId.extend({ command: z.string(), timeoutSeconds: z.number().min(0.1).max(3600).default(60) }),
    ExecResult,
  ),
  /** The frame's hash; its PNG is at /frames/<hash>.png. */
  'vm.screenshot': method(
    machineId,
    z.object({ frame: z.string(), width: z.number().int(), height: z.number().int() }),
  ),
  'vm.act': method(machineId.extend({ action: Action }), z.object({ text: z.string().optional() })),
  'vm.pause': method(machineId, Machine),
  'vm.resume': method(machineId, Machine),
  'vm.snapshot': method(machineId.extend({ label: z.string().max(200).optional() }), Snapshot),
  'vm.fork': method(machineId.extend({ count: z.number().int().min(1).max(16).default(1) }), z.array(Machine)),
  'vm.restore': method(z.object({ snapshotId: z.string() }), Machine),
  'vm.destroy': method(machineId, nothing),
  'image.list': method(nothing, z.array(Image)),
  'image.build': method(z.object({ variant: z.enum(['desktop', 'minimal']) }), Image),
  'image.remove': method(z.object({ imageId: z.string() }), z.object({ freedBytes: z.number().int() })),
  'snapshot.list': method(nothing, z.array(Snapshot)),
  'snapshot.usage': method(nothing, z.object({ budgetBytes: z.number().int(), snapshots: z.array(SnapshotUse) })),
  'snapshot.label': method(snapshotId.extend({ label: z.string().trim().min(1).max(200).nullable() }), Snapshot),
  'snapshot.pin': method(snapshotId.extend({ pinned: z.boolean() }), Snapshot),
  'snapshot.remove': method(snapshotId, z.object({ freedBytes: z.number().int() })),
  /** What is different in the second. Both are started for a moment, so it takes a while. */
  'snapshot.compare': method(z.object({ from: z.string(), to: z.string() }), StateDiff),
  'snapshot.verify': method(snapshotId, nothing),
  'snapshot.budget': method(z.object({ bytes: z.number().int().min(0) }), nothing),
  'snapshot.collect': method(
    z.object({ includeNamed: z.boolean().default(false), dryRun: z.boolean().default(false) }),
    Collected,
  ),
  /** To a folder inside the one named, which may hold other things. Refused while machines live. */
  'snapshot.move': method(z.object({ folder: z.string().min(1) }), z.object({ folder: z.string() })),
  'snapshot.compress': method(
    z.object({ olderThanMinutes: z.number().min(0).default(30) }),
    z.object({ savedBytes: z.number().int() }),
  ),
} as const

export type Methods = typeof methods
export type MethodName = keyof Methods
export type Input<M extends MethodName> = z.input<Methods[M]['input']>
export type Parsed<M extends MethodName> = z.output<Methods[M]['input']>
export type Output<M extends MethodName> = z.output<Methods[M]['output']>

/** What the engine tells without being asked. Every connection gets all of them, in order. */
export const EngineEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('task'), task: Task }),
  z.object({ type: z.literal('step'), step: Step }),
  /** The step under way: what the agent is thinking and doing right now. */
  z.object({
    type: z.literal('activity'),
    taskId: z.string(),
    phase: z.enum(['preparing', 'looking', 'thinking', 'acting', 'settling', 'verifying']),
    text: z.string(),
    branchId: z.string().optional(), // left out: on the task's own line
  }),
  /** A branch began, changed its state or was judged. */
  z.object({ type: z.literal('branch'), branch: Branch }),
  z.object({ type: z.literal('machine'), machine: Machine }),
  /** A guest tried to reach something. */
  z.object({ type: z.literal('egress'), machineId: z.string(), attempt: EgressAttempt }),
  z.object({ type: z.literal('readiness'), readiness: Readiness }),
])
export type EngineEvent = z.infer<typeof EngineEvent>

/** Frames on the wire, as JSON text over one WebSocket at /rpc. */
export const ClientMessage = z.object({ id: z.number().int(), method: z.string(), params: z.unknown() })
export const ServerMessage = z.union([
  z.object({ id: z.number().int(), error: ErrorInfo }),
  z.object({ id: z.number().int(), result: z.unknown() }),
  z.object({ event: EngineEvent }),
])
