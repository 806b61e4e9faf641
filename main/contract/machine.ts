import { z } from 'zod'
import { ErrorInfo } from './errors.ts'

export const Accelerator = z.enum(['kvm', 'hvf', 'whpx', 'tcg'])
export type Accelerator = z.infer<typeof Accelerator>

/** What a driver on this host can do. The UI offers only what is true here. */
export const Capabilities = z.object({
  driver: z.string(),
  accelerator: Accelerator.nullable(),
  exec: z.boolean(),
  ramSnapshot: z.boolean(),
  diskSnapshot: z.boolean(),
  fork: z.boolean(),
  pause: z.boolean(),
  liveView: z.boolean(),
  unproven: z.array(z.string()), // what is written but nobody has run yet
})
export type Capabilities = z.infer<typeof Capabilities>

/**
 *  starting ──► running ◄──► paused
 *      │           │            │
 *      └───────────┴────────────┴──► dead (asked for, or died)
 *
 *  A machine nobody uses is paused and `suspended`: kept as a snapshot, without a process; its next use brings it back.
 */
export const MachineState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('starting') }),
  z.object({ kind: z.literal('running') }),
  // With a reason when nobody asked for it: it can be resumed when that is mended.
  z.object({ kind: z.literal('paused'), suspended: z.boolean().optional(), reason: ErrorInfo.optional() }),
  z.object({ kind: z.literal('dead'), reason: ErrorInfo.nullable() }), // null when it was asked for
])
export type MachineState = z.infer<typeof MachineState>

export const Machine = z.object({
  id: z.string(),
  name: z.string(),
  driver: z.string(),
  image: z.string(),
  state: MachineState,
  parentSnapshot: z.string().nullable(), // the snapshot it was resumed from
  taskId: z.string().nullable(),
  memoryMb: z.number().int(),
  cpus: z.number().int(),
  screen: z.object({ width: z.number().int(), height: z.number().int() }),
  pid: z.number().int().nullable(),
  createdAt: z.string(),
  exec: z.boolean().optional(), // false: its system has no way in for commands and files; left out, it has
  startedInMs: z.number(), // from the call to a machine that answers
})
export type Machine = z.infer<typeof Machine>

export const Snapshot = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  machineId: z.string().nullable(), // the machine it was taken of
  taskId: z.string().nullable(),
  label: z.string().nullable(),
  image: z.string(),
  templateKey: z.string(),
  pinned: z.boolean(),
  createdAt: z.string(),
  pauseMs: z.number(), // how long the guest stood still
  diskBytes: z.number().int(),
  ramBytes: z.number().int(),
  frame: z.string().nullable(), // what the screen showed
})
export type Snapshot = z.infer<typeof Snapshot>

export const ExecResult = z.object({
  exitCode: z.number().int().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  truncated: z.boolean(),
})
export type ExecResult = z.infer<typeof ExecResult>

/** What the guest may reach: host, *.domain, host:port, or an address. Nothing unless named. */
export const AllowedHosts = z.array(z.string().min(1).max(300)).max(100).default([])

export const CreateMachine = z.object({
  image: z.string().default('desktop'),
  name: z.string().max(100).optional(),
  memoryMb: z.number().int().min(256).max(65_536).optional(),
  cpus: z.number().int().min(1).max(16).optional(),
  boot: z.boolean().default(false), // from power-on instead of the pre-booted template
  fromSnapshot: z.string().optional(),
  allow: AllowedHosts,
})
export type CreateMachine = z.infer<typeof CreateMachine>

/** What a machine takes of this host right now. */
export const MachineUse = z.object({
  machineId: z.string(),
  memoryBytes: z.number().int().nullable(), // shared with no other machine; null where the host cannot say
  diskBytes: z.number().int(), // written since it began, or kept while it sleeps
})
export type MachineUse = z.infer<typeof MachineUse>

/** A file that went into a guest or came out of one, under the name it has there. */
export const Transferred = z.object({ file: z.string(), bytes: z.number().int(), sha256: z.string() })
export type Transferred = z.infer<typeof Transferred>
