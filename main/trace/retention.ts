import type { Expired, Freed, RetentionPolicy, TraceEntry } from '../contract/trace.ts'
import { deleteTrace, sweepFrames } from './delete-trace.ts'
import type { FrameStore } from './frame-store.ts'
import type { Store, StoreReader } from './store.ts'
import { hasEnded } from './task-state.ts'

/** What the policy would remove, oldest first, without removing it. Running tasks and kept tags are never among them. */
export function expiredTraces(store: StoreReader, policy: RetentionPolicy, now = Date.now()): Expired[] {
  const expired: Expired[] = []
  const oldestAllowed = policy.maxAgeDays === undefined ? -Infinity : now - policy.maxAgeDays * 86_400_000
  let traces = 0
  let bytes = 0
  for (const { task, tags, bytes: size } of everyTrace(store)) {
    const protectedByHand = !hasEnded(task.state) || tags.some((tag) => policy.keepTags.includes(tag))
    traces++
    bytes += size
    if (protectedByHand) continue
    const reason =
      Date.parse(task.createdAt) < oldestAllowed
        ? 'age'
        : traces > (policy.maxTraces ?? Infinity)
          ? 'count'
          : bytes > (policy.maxBytes ?? Infinity)
            ? 'size'
            : null
    if (!reason) continue
    traces--
    bytes -= size
    expired.push({ taskId: task.id, goal: task.goal, bytes: size, reason })
  }
  return expired.reverse()
}

export async function applyRetention(store: Store, frames: FrameStore, policy: RetentionPolicy): Promise<Freed> {
  const total: Freed = { traces: 0, frames: 0, bytes: 0 }
  const add = (freed: Freed) => {
    total.traces += freed.traces
    total.frames += freed.frames
    total.bytes += freed.bytes
  }
  for (const { taskId } of expiredTraces(store, policy)) add(await deleteTrace(store, frames, taskId))
  add(await sweepFrames(store, frames))
  return total
}

/** Newest first. */
function* everyTrace(store: StoreReader): Generator<TraceEntry> {
  let after: string | undefined
  do {
    const page = store.library.find({ limit: 200, ...(after !== undefined && { after }) })
    yield* page.entries
    after = page.next ?? undefined
  } while (after !== undefined)
}
