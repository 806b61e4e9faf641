import path from 'node:path'
import type { Writable } from 'node:stream'
import { GodHandError } from '../../contract/errors.ts'
import type { Task } from '../../contract/task.ts'
import type { ExportFormat, RedactionInput } from '../../contract/trace.ts'
import { type ExportedBundle, writeBundle } from '../bundle/export-bundle.ts'
import type { FrameStore } from '../frame-store.ts'
import type { StoreReader } from '../store.ts'
import { cancellation, type Destination, writingTo } from './destination.ts'
import { redactSource } from './redact.ts'
import type { LocateText } from './redact-picture.ts'
import { openSource, type TraceSource } from './source.ts'
import { type WriteOptions, writers } from './writers.ts'

export type ExportOptions = WriteOptions & {
  redact?: RedactionInput | undefined
  locate?: LocateText | undefined
  /** Where snapshots lie, when those of the trace are to go along. */
  machines?: string | undefined
}

/** A file is there whole or not at all. A cancelled export throws 'cancelled'. */
export async function exportTrace(
  store: StoreReader,
  frames: FrameStore,
  taskId: string,
  format: ExportFormat,
  to: Destination,
  options: ExportOptions = {},
): Promise<void> {
  await exported(store, frames, taskId, to, options, (source, stream) => writers[format].write(source, stream, options))
}

/** The same as the format "bundle", with what a caller wants to know about it. */
export function exportBundle(
  store: StoreReader,
  frames: FrameStore,
  taskId: string,
  to: Destination,
  options: ExportOptions = {},
): Promise<ExportedBundle> {
  return exported(store, frames, taskId, to, options, (source, stream) => writeBundle(source, stream, options))
}

/** write-a-letter.ghtrace: the goal in words a file system can take. */
export function exportName(task: Pick<Task, 'id' | 'goal'>, format: ExportFormat): string {
  const words = task.goal
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  return `${words || task.id}.${writers[format].extension}`
}

async function exported<T>(
  store: StoreReader,
  frames: FrameStore,
  taskId: string,
  to: Destination,
  options: ExportOptions,
  write: (source: TraceSource, stream: Writable) => Promise<T>,
): Promise<T> {
  const plain = withMachines(openSource(store, frames, taskId), store, options)
  const source = options.redact ? redactSource(plain, options.redact, options.locate) : plain
  try {
    options.signal?.throwIfAborted()
    return await writingTo(to, (stream) => write(source, stream))
  } catch (thrown) {
    throw cancellation(thrown, options.signal)
  }
}

/** A machine's memory cannot be redacted, so it goes along whole or not at all. */
function withMachines(source: TraceSource, store: StoreReader, { machines, redact }: ExportOptions): TraceSource {
  if (machines === undefined) return source
  if (redact)
    throw new GodHandError('bad_request', 'Machines hold all that was ever in them, so they cannot be redacted.', {
      hint: 'Export without the machines, or without redaction.',
    })
  const kept = source.lineage.snapshots.filter(({ id }) => store.snapshots.get(id) !== null)
  return { ...source, machines: kept.map(({ id }) => ({ id, folder: path.join(machines, id) })) }
}
