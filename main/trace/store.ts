import type { TraceDiskUse } from '../contract/trace.ts'
import { type AppReader, appReader } from './apps.ts'
import { type BranchReader, type BranchWriter, branchReader, branchWriter } from './branches.ts'
import type { ReadConnection } from './connection.ts'
import {
  type ConversationReader,
  type ConversationWriter,
  conversationReader,
  conversationWriter,
} from './conversations.ts'
import { openDatabase, openForReading } from './database.ts'
import { diskUse } from './disk-use.ts'
import { type FrameReader, type FrameWriter, frameReader, frameWriter } from './frames.ts'
import { type ImportReader, type ImportWriter, importReader, importWriter } from './imports.ts'
import { type LibraryReader, type LibraryWriter, libraryReader, libraryWriter } from './library.ts'
import { type MachineReader, type MachineWriter, machineReader, machineWriter } from './machines.ts'
import { type MetaReader, type MetaWriter, metaReader, metaWriter } from './meta.ts'
import { type Recovery, recoverInterrupted } from './recovery.ts'
import { type SnapshotReader, type SnapshotWriter, snapshotReader, snapshotWriter } from './snapshots.ts'
import { type StepReader, type StepWriter, stepReader, stepWriter } from './steps.ts'
import { type TagReader, type TagWriter, tagReader, tagWriter } from './tags.ts'
import { type TaskReader, type TaskWriter, taskReader, taskWriter } from './tasks.ts'

/** What views, exporters and search are given: it cannot change anything. */
export interface StoreReader {
  readonly tasks: TaskReader
  readonly steps: StepReader
  readonly frames: FrameReader
  readonly snapshots: SnapshotReader
  readonly machines: MachineReader
  readonly meta: MetaReader
  readonly tags: TagReader
  readonly apps: AppReader
  readonly library: LibraryReader
  readonly imports: ImportReader
  readonly conversations: ConversationReader
  readonly branches: BranchReader
  diskUse(): TraceDiskUse
}

/** What the one engine that owns the data folder holds. */
export interface Store extends StoreReader {
  readonly tasks: TaskReader & TaskWriter
  readonly steps: StepReader & StepWriter
  readonly frames: FrameReader & FrameWriter
  readonly snapshots: SnapshotReader & SnapshotWriter
  readonly machines: MachineReader & MachineWriter
  readonly meta: MetaReader & MetaWriter
  readonly tags: TagReader & TagWriter
  readonly library: LibraryReader & LibraryWriter
  readonly imports: ImportReader & ImportWriter
  readonly conversations: ConversationReader & ConversationWriter
  readonly branches: BranchReader & BranchWriter
  /** The last owner did not close the store; it was checked and is sound. */
  readonly unclean: boolean
  /** Several writes, all or nothing. `work` must not be async. */
  transaction<T>(work: () => T): T
  /** Call once after open, when the engine's lock is held. */
  recoverInterrupted(): Recovery
  /** Safe to call again. */
  close(): void
}

export function openStore(file: string): Store {
  const { connection, unclean, close } = openDatabase(file)
  const read = readers(connection)
  return {
    tasks: { ...read.tasks, ...taskWriter(connection) },
    steps: { ...read.steps, ...stepWriter(connection) },
    frames: { ...read.frames, ...frameWriter(connection) },
    snapshots: { ...read.snapshots, ...snapshotWriter(connection) },
    machines: { ...read.machines, ...machineWriter(connection) },
    meta: { ...read.meta, ...metaWriter(connection) },
    tags: { ...read.tags, ...tagWriter(connection) },
    library: { ...read.library, ...libraryWriter(connection) },
    imports: { ...read.imports, ...importWriter(connection) },
    conversations: { ...read.conversations, ...conversationWriter(connection) },
    branches: { ...read.branches, ...branchWriter(connection) },
    apps: read.apps,
    diskUse: read.diskUse,
    unclean,
    transaction: (work) => connection.transaction(work),
    recoverInterrupted: () => recoverInterrupted(connection),
    close,
  }
}

/** Beside a running engine, or without one. The file is never changed. */
export function openStoreReader(file: string): StoreReader & { close(): void } {
  const { connection, close } = openForReading(file)
  return { ...readers(connection), close }
}

function readers(connection: ReadConnection): StoreReader {
  return {
    tasks: taskReader(connection),
    steps: stepReader(connection),
    frames: frameReader(connection),
    snapshots: snapshotReader(connection),
    machines: machineReader(connection),
    meta: metaReader(connection),
    tags: tagReader(connection),
    apps: appReader(connection),
    library: libraryReader(connection),
    imports: importReader(connection),
    conversations: conversationReader(connection),
    branches: branchReader(connection),
    diskUse: () => diskUse(connection),
  }
}
