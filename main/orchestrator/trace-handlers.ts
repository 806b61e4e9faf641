import type { Branch } from '../contract/branching.ts'
import { GodHandError } from '../contract/errors.ts'
import type { Log } from '../log.ts'
import { compareTraces } from '../trace/compare-traces.ts'
import { deleteTrace } from '../trace/delete-trace.ts'
import type { FrameStore } from '../trace/frame-store.ts'
import { importBundle } from '../trace/import/import-bundle.ts'
import type { MachineHome } from '../trace/import/machine-files.ts'
import type { Store } from '../trace/store.ts'
import { bootStep } from './boot-step.ts'
import type { Exports } from './exports.ts'
import type { Handlers } from './handlers.ts'
import type { Machines } from './machines.ts'
import { previewRedaction } from './redaction-preview.ts'
import type { SnapshotKeeper } from './snapshot-keeper.ts'
import type { Tasks } from './tasks.ts'
import type { TraceRetention } from './trace-retention.ts'

type Parts = {
  store: Store
  frames: FrameStore
  machines: Machines
  tasks: Tasks
  snapshots: SnapshotKeeper
  exports: Exports
  retention: TraceRetention
  log: Log
  closing: AbortSignal
  /** Where machines of imported traces go; undefined: the driver takes none. */
  machineHome: MachineHome | undefined
  /** What branches left on disk goes with their trace. */
  forgetBranches: (branches: Branch[]) => Promise<void>
}

type TraceMethod = Extract<keyof Handlers, `trace.${string}` | `export.${string}` | `retention.${string}`>

/** Traces as things one finds, compares, boots, exports and throws away. */
export function traceHandlers(parts: Parts): Pick<Handlers, TraceMethod> {
  const { store, frames, exports, retention, closing } = parts
  return {
    'trace.search': (query) => store.library.find(query),
    'trace.facets': () => ({ tags: store.tags.all(), apps: store.apps.all() }),
    'trace.tag': ({ taskId, tag, on }) => {
      parts.tasks.get(taskId)
      if (on) store.tags.add(taskId, tag)
      else store.tags.remove(taskId, tag)
      return { tags: store.tags.of(taskId) }
    },
    'trace.compare': ({ a, b }) => compareTraces(store, a, b),
    'trace.boot': (wish) => bootStep(parts, wish),
    'trace.diskUse': () => store.diskUse(),
    'trace.export': async ({ file, ...wish }) => {
      const { id } = exports.start(wish, file)
      const { state, error, bytes } = await exports.finish(id)
      if (state !== 'done') throw error ? GodHandError.fromInfo(error) : new GodHandError('cancelled', 'Called off.')
      return { file, bytes: bytes ?? 0 }
    },
    'export.start': ({ file, ...wish }) => exports.start(wish, file ?? null),
    'export.cancel': ({ exportId }) => exports.cancel(exportId),
    'trace.previewRedaction': ({ taskId, frame, redact }) => previewRedaction(store, frames, taskId, frame, redact),
    'trace.import': async ({ file, copy }) =>
      (await importBundle(file, store, frames, { copy, signal: closing, machines: parts.machineHome })).task,
    'trace.freeable': async ({ taskId }) => {
      parts.tasks.get(taskId)
      const pictures = store.frames.onlyOfTask(taskId)
      const { ids, bytes } = await parts.snapshots.freeable(store.snapshots.ofTask(taskId))
      return {
        pictures: { count: pictures.length, bytes: pictures.reduce((sum, frame) => sum + frame.bytes, 0) },
        machines: { count: ids.length, bytes },
      }
    },
    'trace.delete': async ({ taskId, machines }) => {
      const taken = machines ? store.snapshots.ofTask(taskId) : []
      const branches = store.branches.ofTask(taskId)
      const freed = await deleteTrace(store, frames, taskId)
      await parts.forgetBranches(branches)
      // The newest first: what stood on them is gone by then. What something else needs stays.
      for (const { id } of taken.toReversed()) freed.bytes += await parts.snapshots.remove(id).catch(() => 0)
      return freed
    },
    'retention.get': () => ({ policy: retention.get() }),
    'retention.set': ({ policy }) => ({ policy: retention.set(policy) }),
    'retention.preview': ({ policy }) => retention.preview(policy),
    'retention.apply': () => retention.apply(),
  }
}
