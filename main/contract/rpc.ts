import { z } from 'zod'
import { Action } from './action.ts'
import { Assertion, Verdict } from './assertion.ts'
import { Attachment } from './attachment.ts'
import { BenchmarkKind, BenchmarkList, BenchmarkRun } from './benchmark.ts'
import { BootedStep, BootStep } from './boot-step.ts'
import { Branch, JudgeRules, Lineage } from './branching.ts'
import { TraceComparison } from './compare-traces.ts'
import { DayBudget, DayLimits } from './day-budget.ts'
import { Declaration } from './declaration.ts'
import { LogLine, LogQuery, RESET_WORDS } from './diagnostics.ts'
import { EgressAttempt } from './egress.ts'
import { ErrorInfo } from './errors.ts'
import { Example } from './example.ts'
import { ExportJob, ExportWish, RedactionPreview } from './export.ts'
import { Region } from './geometry.ts'
import { GuestFolder } from './guest-files.ts'
import { BuildImage, Image, ImageWork, ImportImage } from './image.ts'
import { Capabilities, CreateMachine, ExecResult, Machine, MachineUse, Snapshot, Transferred } from './machine.ts'
import { Calibration, FoundServer, ListedModel, LocalModel, ModelChoice, ModelService, ModelTest } from './model.ts'
import { Progress } from './progress.ts'
import { KeptFrame, Mark, ScreenNews, TextFound, TextLine, TextQuery } from './reading.ts'
import { Settings, SettingsInForce } from './settings.ts'
import { Collected, SnapshotUse } from './snapshots.ts'
import { StateDiff } from './state-diff.ts'
import { ApprovalAnswer, RunTask, Settle, Step, Task } from './task.ts'
import {
  Expired,
  ExportFormat,
  Freeable,
  Freed,
  Redaction,
  RetentionPolicy,
  Tag,
  TraceDiskUse,
  TraceFacets,
  TracePage,
  TraceQuery,
} from './trace.ts'

/** Every call the engine answers. The server parses the input, the client parses the output. */

const machineId = z.object({ machineId: z.string() })
const taskId = z.object({ taskId: z.string() })
const words = z.string().trim().min(1).max(20_000)
const snapshotId = z.object({ snapshotId: z.string() })
const nothing = z.object({})
const limitBytes = z
  .number()
  .int()
  .min(1)
  .max(1024 ** 3)
  .default(64 * 1024 ** 2)
const method = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output })

/** What the engine itself can do about a check: prepare a desktop anew, bring its parts too, or tidy the snapshots. */
export const DoctorFix = z.enum(['prepare', 'build', 'tidy'])
export type DoctorFix = z.infer<typeof DoctorFix>

export const DoctorCheck = z.object({
  name: z.string(),
  status: z.enum(['ok', 'warning', 'problem', 'unproven']),
  summary: z.string(),
  hint: z.string().optional(),
  fix: DoctorFix.optional(),
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
  /** Gets a desktop ready again after that failed; `build` brings QEMU and the image too. Readiness tells how far it is. */
  'engine.prepare': method(z.object({ build: z.boolean().default(false) }), nothing),
  'engine.shutdown': method(nothing, nothing),
  'engine.logs': method(LogQuery, z.array(LogLine)),
  /** Erases everything a person made in this data folder, and goes on as on the first day. */
  'engine.reset': method(z.object({ confirm: z.literal(RESET_WORDS) }), nothing),
  /** For whoever helps: checks, endings and logs in a zip, without secrets. */
  'support.bundle': method(
    z.object({ file: z.string().min(1) }),
    z.object({ file: z.string(), bytes: z.number().int() }),
  ),
  /** Tasks to try that need neither a model nor the network. */
  'example.list': method(nothing, z.array(Example)),
  /** Takes a copy of a file of this host for a task to come, which names it in `attached`. */
  'file.attach': method(
    z.object({ file: z.string().min(1), name: z.string().min(1).max(1000).optional() }),
    Attachment,
  ),
  'task.run': method(RunTask, Task),
  'task.list': method(z.object({ limit: z.number().int().min(1).max(1000).default(200) }), z.array(Task)),
  /** With all its steps; or, because ten thousand of them are megabytes, with those from an index on, so many at most. */
  'task.get': method(
    taskId.extend({
      from: z.number().int().nonnegative().default(0),
      limit: z.number().int().min(1).optional(),
    }),
    z.object({ task: Task, steps: z.array(Step) }),
  ),
  'task.stop': method(z.object({ taskId: z.string() }), Task),
  /** Nothing more is begun: only the act under way is finished. Time does not run meanwhile. */
  'task.pause': method(taskId, Task),
  'task.resume': method(taskId, Task),
  /** Reaches the very next turn. */
  'task.guide': method(taskId.extend({ text: words }), Task),
  'task.answer': method(taskId.extend({ text: words }), Task),
  'task.approve': method(taskId.extend({ answer: ApprovalAnswer }), Task),
  /** The agent waits and the person drives: what they do in the live view or by `vm.act` becomes part of the trace. */
  'task.takeOver': method(taskId, Task),
  /** The agent is told what was done and what has changed, and `text` as a word of guidance. */
  'task.handBack': method(taskId.extend({ text: words.optional() }), Task),
  /** Ends a task that is done by hand. With checks it ends only if they hold; else they are in the trace, and it goes on. */
  'task.declare': method(taskId.extend(Declaration.shape), Task),
  /** The machine as it is at this moment, as a node of the task's tree. */
  'task.checkpoint': method(taskId.extend({ label: z.string().trim().min(1).max(200).optional() }), Snapshot),
  /** By label or id of a snapshot of this task. Done once the step under way is over, also while it is paused. */
  'task.rollback': method(taskId.extend({ to: z.string().min(1).max(200) }), Task),
  /** Goes on with a task that an engine left behind: same conversation, same trace, on a new machine. */
  'task.resumeInterrupted': method(taskId, Task),
  /** Machines, snapshots, branches and steps of a task as one tree. */
  'lineage.get': method(taskId, Lineage),
  /** A file of a branch's machine into one on this host: of a live one, a kept one, or as it was fetched. */
  'branch.fetch': method(
    z.object({ branchId: z.string(), path: z.string().min(1), file: z.string().min(1) }),
    z.object({ file: z.string(), bytes: z.number().int() }),
  ),
  /** How branches are judged, where a task does not say it itself. */
  'judge.get': method(nothing, JudgeRules),
  'judge.set': method(JudgeRules, JudgeRules),
  'settings.get': method(nothing, SettingsInForce),
  /** All of them at once. Another machine size gets a desktop ready anew. */
  'settings.set': method(Settings, SettingsInForce),
  'budget.day.get': method(nothing, DayBudget),
  /** All of them at once: what is left out limits no more. */
  'budget.day.set': method(DayLimits, DayBudget),
  /** Names only: a value never comes back. */
  'secret.list': method(nothing, SecretNames),
  'secret.set': method(namedValue, nothing),
  'secret.remove': method(z.object({ name: z.string() }), nothing),
  'key.list': method(nothing, SecretNames),
  'key.set': method(namedValue.extend({ name: z.enum(['anthropic', 'openai']) }), nothing),
  'key.remove': method(z.object({ name: z.enum(['anthropic', 'openai']) }), nothing),
  /** Local model servers that answer on this computer. */
  'model.servers': method(nothing, z.array(FoundServer)),
  'model.list': method(ModelService, z.array(ListedModel)),
  /** Asks the model something small; an error says what is wrong with key, name, address or network. */
  'model.test': method(ModelChoice, ModelTest),
  /** Shows the model pictures with known targets. Takes nine answers of the model; `calibration` events say how far it is. */
  'model.calibrate': method(LocalModel, Calibration),
  'model.calibrations': method(nothing, z.array(Calibration)),
  'trace.search': method(TraceQuery, TracePage),
  /** Into a file on this host, there whole or not at all. */
  'trace.export': method(
    z.object({
      taskId: z.string(),
      format: ExportFormat.default('bundle'),
      file: z.string().min(1),
      redact: Redaction.optional(),
      machines: z.boolean().default(false),
    }),
    z.object({ file: z.string(), bytes: z.number().int() }),
  ),
  /** The same, but it returns at once: events tell how far it is, and it can be called off. */
  'export.start': method(ExportWish.extend({ file: z.string().min(1).optional() }), ExportJob),
  'export.cancel': method(z.object({ exportId: z.string() }), ExportJob),
  'trace.previewRedaction': method(taskId.extend({ frame: z.string(), redact: Redaction }), RedactionPreview),
  'trace.compare': method(z.object({ a: z.string(), b: z.string() }), TraceComparison),
  'trace.facets': method(nothing, TraceFacets),
  'trace.tag': method(taskId.extend({ tag: Tag, on: z.boolean() }), z.object({ tags: z.array(z.string()) })),
  'trace.diskUse': method(nothing, TraceDiskUse),
  /** Null: everything is kept. */
  'retention.get': method(nothing, z.object({ policy: RetentionPolicy.nullable() })),
  'retention.set': method(
    z.object({ policy: RetentionPolicy.nullable() }),
    z.object({ policy: RetentionPolicy.nullable() }),
  ),
  /** What a policy (left out: the one in force) would remove now. */
  'retention.preview': method(z.object({ policy: RetentionPolicy.optional() }), z.array(Expired)),
  'retention.apply': method(nothing, Freed),
  'trace.import': method(z.object({ file: z.string().min(1), copy: z.boolean().default(false) }), Task),
  /** The machine as it was at a step, live. */
  'trace.boot': method(BootStep, BootedStep),
  'trace.freeable': method(taskId, Freeable),
  /** `machines`: with the snapshots that were taken of its machines, as far as nothing else stands on them. */
  'trace.delete': method(taskId.extend({ machines: z.boolean().default(false) }), Freed),
  'vm.create': method(CreateMachine, Machine),
  'vm.list': method(nothing, z.array(Machine)),
  'vm.usage': method(nothing, z.array(MachineUse)),
  'vm.exec': method(
    machineId.extend({ command: z.string(), timeoutSeconds: z.number().min(0.1).max(3600).default(60) }),
    ExecResult,
  ),
  /** The frame's hash; its PNG is at /frames/<hash>.png. */
  'vm.screenshot': method(
    machineId,
    z.object({ frame: z.string(), width: z.number().int(), height: z.number().int() }),
  ),
  /** The text on the screen, line by line with boxes; within a region when one is named. */
  'vm.read': method(machineId.extend({ region: Region.optional() }), KeptFrame.extend({ lines: z.array(TextLine) })),
  /** Every place where a text stands, best first. */
  'vm.find': method(
    machineId.extend({ ...TextQuery.shape, region: Region.optional() }),
    KeptFrame.extend({ found: z.array(TextFound) }),
  ),
  /** What can be named by a number: texts and places that look clickable. `picture` shows the numbers on the screen. */
  'vm.marks': method(machineId, KeptFrame.extend({ picture: z.string(), marks: z.array(Mark) })),
  /** The native pixels of a region, enlarged. */
  'vm.zoom': method(machineId.extend({ region: Region }), KeptFrame),
  /** Looks until the statement is steadily true or time is up. */
  'vm.check': method(
    machineId.extend({ assertion: Assertion, timeoutSeconds: z.number().min(0).max(600).default(10) }),
    Verdict,
  ),
  /** Answers when the screen differs from the frame named (else from now), or when time is up. Nobody needs to ask again and again. */
  'vm.change': method(
    machineId.extend({ since: z.string().optional(), timeoutSeconds: z.number().min(0).max(600).default(30) }),
    ScreenNews,
  ),
  /** What has changed in the machine since one of its snapshots: as data, and as sentences. */
  'vm.diff': method(
    machineId.extend({ since: z.string() }),
    z.object({ diff: StateDiff, changes: z.array(z.string()) }),
  ),
  /** Two stored frames and what differs, side by side in one picture. */
  'frame.compare': method(z.object({ before: z.string(), after: z.string() }), KeptFrame),
  /** With `settle` it answers when the screen has come to rest, and says what changed. */
  'vm.act': method(
    machineId.extend({ action: Action, settle: z.boolean().default(false) }),
    z.object({ text: z.string().optional(), settle: Settle.optional() }),
  ),
  /** What lies in a folder of the guest. A file itself is at /files/<machine>?path=… */
  'vm.files': method(machineId.extend({ path: z.string().min(1).max(4096).default('/home/user') }), GuestFolder),
  'vm.clipboard.read': method(machineId, z.object({ text: z.string() })),
  'vm.clipboard.write': method(machineId.extend({ text: z.string().max(1_000_000) }), nothing),
  'vm.pause': method(machineId, Machine),
  'vm.resume': method(machineId, Machine),
  /** One plain file of this host, no larger than the limit, to a full path in the guest (or into a folder: ends in /). */
  'vm.send': method(machineId.extend({ file: z.string().min(1), guestPath: z.string(), limitBytes }), Transferred),
  /** One file of the guest into a folder of this host. Nothing that is there is overwritten. */
  'vm.fetch': method(machineId.extend({ guestPath: z.string(), folder: z.string().min(1), limitBytes }), Transferred),
  /** Kept as a snapshot and its process ended; its next use brings it back, in a later engine too. */
  'vm.suspend': method(machineId, Machine),
  'vm.snapshot': method(machineId.extend({ label: z.string().max(200).optional() }), Snapshot),
  'vm.fork': method(machineId.extend({ count: z.number().int().min(1).max(16).default(1) }), z.array(Machine)),
  'vm.restore': method(z.object({ snapshotId: z.string() }), Machine),
  'vm.destroy': method(machineId, nothing),
  'image.list': method(nothing, z.array(Image)),
  /** Answers when it is there and its pre-booted desktop is ready; `image` events tell how far it is. */
  'image.build': method(BuildImage, Image),
  'image.import': method(ImportImage, Image),
  /** What is being made right now. */
  'image.work': method(nothing, z.array(ImageWork)),
  'image.remove': method(z.object({ imageId: z.string() }), z.object({ freedBytes: z.number().int() })),
  'snapshot.list': method(nothing, z.array(Snapshot)),
  'snapshot.usage': method(nothing, z.object({ budgetBytes: z.number().int(), snapshots: z.array(SnapshotUse) })),
  'snapshot.label': method(snapshotId.extend({ label: z.string().trim().min(1).max(200).nullable() }), Snapshot),
  'snapshot.pin': method(snapshotId.extend({ pinned: z.boolean() }), Snapshot),
  'snapshot.remove': method(snapshotId, z.object({ freedBytes: z.number().int() })),
  /** What is different in the second. Both are started for a moment, so it takes a while. */
  'snapshot.compare': method(z.object({ from: z.string().nullable(), to: z.string() }), StateDiff), // null: fresh
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
  'bench.list': method(nothing, BenchmarkList),
  'bench.start': method(z.object({ kind: BenchmarkKind, quick: z.boolean().default(false) }), BenchmarkRun),
  /** Answers when it is over; one that is over already is answered as it is. */
  'bench.cancel': method(z.object({ runId: z.string() }), BenchmarkRun),
  'bench.remove': method(z.object({ runId: z.string() }), nothing),
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
  /** A file is being made of a trace. */
  z.object({ type: z.literal('export'), job: ExportJob }),
  /** A guest tried to reach something. */
  z.object({ type: z.literal('egress'), machineId: z.string(), attempt: EgressAttempt }),
  z.object({ type: z.literal('calibration'), server: z.string(), model: z.string(), progress: Progress }),
  z.object({ type: z.literal('readiness'), readiness: Readiness }),
  z.object({ type: z.literal('benchmark'), run: BenchmarkRun }),
  z.object({ type: z.literal('image'), work: ImageWork }),
])
export type EngineEvent = z.infer<typeof EngineEvent>

/** Frames on the wire, as JSON text over one WebSocket at /rpc. */
export const ClientMessage = z.object({ id: z.number().int(), method: z.string(), params: z.unknown() })
export const ServerMessage = z.union([
  z.object({ id: z.number().int(), error: ErrorInfo }),
  z.object({ id: z.number().int(), result: z.unknown() }),
  z.object({ event: EngineEvent }),
])
