import type { Freed } from '../contract/trace.ts'
import type { FrameStore } from './frame-store.ts'
import type { FrameRecord } from './frames.ts'
import type { Store } from './store.ts'

/** A live screenshot belongs to no trace, but somebody may be looking at it. */
const strayMs = 60 * 60_000

/** The trace with its steps, and the pictures nobody else shows. Throws while it runs. Its snapshots stay. */
export async function deleteTrace(store: Store, frames: FrameStore, taskId: string): Promise<Freed> {
  const shown = store.frames.ofTask(taskId)
  store.tasks.remove(taskId)
  return { traces: 1, ...(await removeFrames(store, frames, shown)) }
}

/** Pictures that no trace and no snapshot shows: live screenshots, and what a crash left of a deletion. */
export async function sweepFrames(store: Store, frames: FrameStore, now = Date.now()): Promise<Freed> {
  const old = store.frames.unreferenced().filter(({ createdAt }) => now - Date.parse(createdAt) > strayMs)
  const freed = { traces: 0, ...(await removeFrames(store, frames, old)) }
  for await (const { hash, writtenAt } of frames.files()) {
    if (now - writtenAt < strayMs || store.frames.get(hash) || frames.putSince(hash, now - strayMs)) continue
    freed.bytes += await frames.remove(hash)
    freed.frames++
  }
  return freed
}

/** The row goes before the file: a crash in between leaves a file that the next sweep finds, never a row without one. */
async function removeFrames(
  store: Store,
  frames: FrameStore,
  candidates: FrameRecord[],
): Promise<{ frames: number; bytes: number }> {
  const freed = { frames: 0, bytes: 0 }
  for (const { hash } of candidates) {
    if (store.frames.isReferenced(hash) || frames.putSince(hash, inUseSince(store))) continue
    store.frames.remove(hash)
    freed.bytes += await frames.remove(hash)
    freed.frames++
  }
  return freed
}

/** A task that runs, or a snapshot being written, may have put a frame that no row names yet: what was put since stays. */
function inUseSince(store: Store): number {
  const begun = [store.tasks.unfinished()[0]?.createdAt, store.snapshots.writingSince()]
  return Math.min(...begun.map((time) => (time ? Date.parse(time) : Infinity)))
}
