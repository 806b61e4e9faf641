import { z } from 'zod'
import { Branch } from '../../contract/branching.ts'
import { Environment, SafeName, Sha256 } from '../../contract/environment.ts'
import { Machine, Snapshot } from '../../contract/machine.ts'
import { RunTask, Step, Task } from '../../contract/task.ts'
import { Tag } from '../../contract/trace.ts'
import { Usage } from '../../contract/usage.ts'

/**
 * What a .ghtrace file holds. docs/trace-format.md says it in words, docs/trace.schema.json is generated from here.
 * Fields may be added within a version; whatever an older reader would misunderstand needs the next one.
 */
export const FORMAT = 'ghtrace'
export const VERSION = 1

/** In the order in which they stand in the file; frames come first, because redacted ones get new names. */
export const names = {
  frame: (hash: string) => `frames/${hash}.png`,
  machineFile: (id: string, file: string) => `machines/${id}/${file}`,
  steps: 'steps.jsonl',
  lineage: 'lineage.json',
  manifest: 'manifest.json',
  sums: 'SHA256SUMS',
} as const

export const FRAME_NAME = /^frames\/([0-9a-f]{64})\.png$/

export const MACHINE_FILE = /^machines\/(snap_[0-9a-z]{1,40})\/([a-z][a-z0-9.-]{0,40})$/

/** Bounds on what is read from a file that somebody else made. Far above any honest trace. */
export const limits = {
  entries: 200_000,
  manifestBytes: 64_000_000,
  lineageBytes: 64_000_000,
  sumsBytes: 64_000_000,
  stepsBytes: 4_000_000_000,
  lineBytes: 64_000_000,
  frameBytes: 64_000_000,
  framePixels: 40_000_000,
  frameEdge: 16_384,
  /** Deflated JSON grows by 20 to 60; a bomb by 1000. The allowance lets short files repeat themselves. */
  growth: 250,
  growthAllowance: 16_000_000,
  machineFileBytes: 16_000_000_000,
  /** Memory and disks hold runs of zeros. */
  machineGrowthAllowance: 512_000_000,
}

const Name = SafeName
const Id = z.string().regex(/^[a-z]{1,10}_[0-9a-z_]{1,40}$/)
const Hash = Sha256
const Time = z.iso.datetime({ offset: true })

const ended = z.enum(['succeeded', 'failed', 'stopped', 'interrupted'])

export const Manifest = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  exportedAt: Time,
  exporter: z.object({ name: Name, version: Name }),
  task: Task.extend({
    id: Id,
    image: Name,
    planner: Name,
    state: ended,
    machineId: Id.nullable(),
    createdAt: Time,
    startedAt: Time.nullable(),
    endedAt: Time.nullable(),
  }),
  model: Name.nullable(),
  request: RunTask.nullable(), // the settings it was run with
  environment: Environment.nullable(),
  cost: Usage.nullable(),
  tags: z.array(Tag).max(100),
  steps: z.object({ count: z.number().int().nonnegative(), seed: Hash, head: Hash }),
  frames: z.object({
    count: z.number().int().nonnegative(),
    bytes: z.number().int().nonnegative(),
    missing: z.array(Hash), // named by steps, but no longer there when it was exported
  }),
  /** The snapshots whose files are in it, so that steps can be booted; left out: none. */
  machines: z.object({ snapshots: z.array(Id).max(10_000), bytes: z.number().int().nonnegative() }).optional(),
  redaction: z.object({ regions: z.number().int(), patterns: z.number().int() }).nullable(),
  origin: z.object({ sha256: Hash, importedAt: Time }).nullable(), // the bundle it came from, when it was imported
})
export type Manifest = z.infer<typeof Manifest>

/** Enough to say why a file from the future is refused, before anything else of it is believed. */
export const AnyVersion = z.object({ format: z.literal(FORMAT), version: z.number().int() })

/** A line of steps.jsonl. `chain` is over the text of `step` and the line before: see chain.ts. */
export const StepLine = z.object({
  chain: Hash,
  step: Step.extend({
    taskId: Id,
    before: Hash.nullable(),
    after: Hash.nullable(),
    snapshotBefore: Id.nullable(),
    snapshotAfter: Id.nullable(),
    startedAt: Time,
  }),
})
export type StepLine = z.infer<typeof StepLine>

/** The machines the task ran on, the snapshots it made or stood on, and its branches. Their bytes, if any, are in machines/. */
export const Lineage = z.object({
  machines: z
    .array(
      Machine.pick({ name: true, driver: true }).extend({
        id: Id,
        image: Name,
        parentSnapshot: Id.nullable(),
        createdAt: Time,
        endedAt: Time.nullable(),
      }),
    )
    .max(100_000),
  snapshots: z
    .array(
      Snapshot.extend({
        id: Id,
        parentId: Id.nullable(),
        machineId: Id.nullable(),
        taskId: Id.nullable(),
        image: Name,
        templateKey: Name,
        createdAt: Time,
        frame: Hash.nullable(),
      }),
    )
    .max(100_000),
  branches: z
    .array(
      Branch.extend({
        id: Id,
        taskId: Id,
        decisionId: Id,
        parentId: Id.nullable(),
        planner: Name,
        fromSnapshot: Id.nullable(),
        machineId: Id.nullable(),
        endSnapshot: Id.nullable(),
        frame: Hash.nullable(),
        createdAt: Time,
        endedAt: Time.nullable(),
      }),
    )
    .max(10_000)
    .optional(), // left out: there were none
})
export type Lineage = z.infer<typeof Lineage>
