import { z } from 'zod'
import { Region } from './action.ts'
import { Task, TaskState } from './task.ts'

/** Traces as things one finds, exports, checks, keeps and throws away. */

export const Tag = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._:/@+-]{0,59}$/u, 'A tag is up to 60 letters, digits, spaces or ._:/@+-')

export const TraceQuery = z.object({
  text: z.string().max(500).optional(), // every word must occur somewhere in the trace; the last may be unfinished
  states: z.array(TaskState).max(10).optional(),
  tag: Tag.optional(),
  app: z.string().max(200).optional(), // a program it ran
  planner: z.string().max(200).optional(), // its beginning: "anthropic" finds "anthropic:<model>"
  from: z.string().max(40).optional(), // ISO times of making, the first included, the second not
  to: z.string().max(40).optional(),
  after: z.string().max(200).optional(), // `next` of the page before
  limit: z.number().int().min(1).max(200).default(50),
})
export type TraceQuery = z.infer<typeof TraceQuery>
export type TraceQueryInput = z.input<typeof TraceQuery>

/** A place where words were found. `text` holds the found words between « and ». */
export const TraceHit = z.object({ stepIndex: z.number().int().nullable(), text: z.string() })
export type TraceHit = z.infer<typeof TraceHit>

export const TraceEntry = z.object({
  task: Task,
  tags: z.array(z.string()),
  bytes: z.number().int(), // of its pictures, also those other traces show too
  imported: z.boolean(),
  hits: z.number().int(), // how many places the words were found in; 0 without words
  best: TraceHit.nullable(),
})
export type TraceEntry = z.infer<typeof TraceEntry>

export const TracePage = z.object({ entries: z.array(TraceEntry), next: z.string().nullable() })
export type TracePage = z.infer<typeof TracePage>

export const ExportFormat = z.enum([
  'bundle', // .ghtrace: complete, verifiable, can be imported and replayed
  'html', // one page that opens from disk
  'webm', // a video with captions
  'gif',
  'osworld', // zip of traj.jsonl, result.txt and screenshots
  'anthropic', // one conversation, in that provider's message shape
  'openai',
  'csv', // a row a step
])
export type ExportFormat = z.infer<typeof ExportFormat>

/** What must not leave the house. Regions are of the native screen, and cover every picture unless `frames` names some. */
export const Redaction = z.object({
  regions: z
    .array(
      z.object({
        region: Region,
        style: z.enum(['black', 'pixelate']).default('black'),
        frames: z.array(z.string()).optional(),
      }),
    )
    .max(200)
    .default([]),
  patterns: z
    .array(
      z.object({
        text: z.string().min(1).max(1000),
        match: z.enum(['text', 'regex']).default('text'),
        replacement: z.string().max(100).default('█████'),
      }),
    )
    .max(200)
    .default([]),
})
export type Redaction = z.infer<typeof Redaction>
export type RedactionInput = z.input<typeof Redaction>

export const BundleProblem = z.object({
  kind: z.enum([
    'seal',
    'layout',
    'name',
    'limit',
    'version',
    'json',
    'shape',
    'hash',
    'chain',
    'frame',
    'machine',
    'missing',
  ]),
  where: z.string(), // the file inside, or the step
  message: z.string(),
})
export type BundleProblem = z.infer<typeof BundleProblem>

/** What `trace verify` says. */
export const BundleReport = z.object({
  ok: z.boolean(),
  sha256: z.string(), // of the file up to its seal: compare it with what the author says
  bytes: z.number().int(),
  goal: z.string().nullable(),
  steps: z.number().int(),
  frames: z.number().int(),
  machines: z.number().int(), // snapshots whose steps can be booted
  problems: z.array(BundleProblem),
})
export type BundleReport = z.infer<typeof BundleReport>

export const RetentionPolicy = z.object({
  maxAgeDays: z.number().positive().optional(),
  maxTraces: z.number().int().nonnegative().optional(),
  maxBytes: z.number().int().nonnegative().optional(), // of pictures
  keepTags: z.array(z.string()).default(['keep']), // traces with one of these stay whatever else is said
})
export type RetentionPolicy = z.infer<typeof RetentionPolicy>
export type RetentionPolicyInput = z.input<typeof RetentionPolicy>

/** What a policy removes, and which of its limits it went beyond. */
export const Expired = z.object({
  taskId: z.string(),
  goal: z.string(),
  bytes: z.number().int(),
  reason: z.enum(['age', 'count', 'size']),
})
export type Expired = z.infer<typeof Expired>

export const Freed = z.object({ traces: z.number().int(), frames: z.number().int(), bytes: z.number().int() })
export type Freed = z.infer<typeof Freed>

const Counted = z.object({ count: z.number().int(), bytes: z.number().int() })

/** What deleting a trace would free: pictures nobody else shows, and its machines as far as nothing else stands on them. */
export const Freeable = z.object({ pictures: Counted, machines: Counted })
export type Freeable = z.infer<typeof Freeable>

export const TraceDiskUse = z.object({
  traces: z.number().int(),
  steps: z.number().int(),
  frames: Counted,
  unused: Counted, // pictures no trace and no snapshot shows
  snapshots: Counted,
  databaseBytes: z.number().int(),
})
export type TraceDiskUse = z.infer<typeof TraceDiskUse>

/** What traces can be narrowed down to, with the number of traces each. */
export const TraceFacets = z.object({
  tags: z.array(z.object({ tag: z.string(), count: z.number().int() })),
  apps: z.array(z.object({ app: z.string(), count: z.number().int() })),
})
export type TraceFacets = z.infer<typeof TraceFacets>
