import { GodHandError } from '../../main/contract/errors.ts'
import { type MethodName, methods } from '../../main/contract/rpc.ts'
import type { Expired, RetentionPolicy, TraceEntry } from '../../main/contract/trace.ts'
import { compareFakes } from './fake-compare.ts'
import { fakeExport } from './fake-exports.ts'
import { searchTraces } from './fake-library.ts'
import { previewFake } from './fake-redaction.ts'
import type { FakeWorld } from './fake-world.ts'

/** What the make-believe engine answers where traces are things one finds, compares, tags, weighs and throws away. */

const traceMethods = [
  'trace.search',
  'trace.facets',
  'trace.tag',
  'trace.compare',
  'trace.diskUse',
  'trace.freeable',
  'trace.delete',
  'trace.previewRedaction',
  'export.start',
  'export.cancel',
  'retention.get',
  'retention.set',
  'retention.preview',
  'retention.apply',
] as const
type TraceMethod = (typeof traceMethods)[number]

export const isTraceMethod = (method: MethodName): method is TraceMethod => traceMethods.some((name) => name === method)

export async function traceCall(
  world: FakeWorld,
  method: TraceMethod,
  params: unknown,
  paceMs: number,
): Promise<unknown> {
  switch (method) {
    case 'trace.search':
      return searchTraces(world, methods[method].input.parse(params))
    case 'trace.facets':
      return { tags: tagsIn(world), apps: [] }
    case 'trace.tag': {
      const { taskId, tag, on } = methods[method].input.parse(params)
      const others = (world.tags.get(taskId) ?? []).filter((one) => one !== tag)
      world.tags.set(taskId, on ? [...others, tag].sort() : others)
      return { tags: world.tags.get(taskId) }
    }
    case 'trace.compare':
      return compareFakes(world, methods[method].input.parse(params))
    case 'trace.previewRedaction':
      return previewFake(world, methods[method].input.parse(params))
    case 'trace.diskUse':
      return useOf(world)
    case 'trace.freeable': {
      const entry = entryOf(world, methods[method].input.parse(params).taskId)
      const kept = world.snapshots.filter(({ taskId }) => taskId === entry.task.id)
      const bytes = kept.reduce((sum, { diskBytes, ramBytes }) => sum + diskBytes + ramBytes, 0)
      return {
        pictures: { count: entry.task.stepCount, bytes: Math.round(entry.bytes * 0.8) },
        machines: { count: kept.length, bytes },
      }
    }
    case 'trace.delete': {
      const { taskId } = methods[method].input.parse(params)
      const { bytes } = entryOf(world, taskId)
      world.tasks.delete(taskId)
      return { traces: 1, frames: 12, bytes: Math.round(bytes * 0.8) }
    }
    case 'export.start':
    case 'export.cancel':
      return fakeExport(world, method, params, paceMs)
    case 'retention.get':
      return { policy: world.retention }
    case 'retention.set':
      world.retention = methods[method].input.parse(params).policy
      return { policy: world.retention }
    case 'retention.preview':
      return expiredIn(world, methods[method].input.parse(params).policy ?? world.retention)
    case 'retention.apply': {
      const gone = expiredIn(world, world.retention)
      for (const { taskId } of gone) world.tasks.delete(taskId)
      return { traces: gone.length, frames: gone.length * 6, bytes: sum(gone) }
    }
  }
}

const sum = (sized: readonly { bytes: number }[]) => sized.reduce((total, { bytes }) => total + bytes, 0)
const entriesIn = (world: FakeWorld): TraceEntry[] => searchTraces(world, {}).entries

function entryOf(world: FakeWorld, taskId: string): TraceEntry {
  const entry = entriesIn(world).find(({ task }) => task.id === taskId)
  if (!entry) throw new GodHandError('not_found', `There is no trace ${taskId}.`)
  return entry
}

function tagsIn(world: FakeWorld) {
  const all = [...world.tags.entries()].flatMap(([taskId, tags]) => (world.tasks.has(taskId) ? tags : []))
  return [...new Set(all)].sort().map((tag) => ({ tag, count: all.filter((one) => one === tag).length }))
}

function useOf(world: FakeWorld) {
  const entries = entriesIn(world)
  const steps = entries.reduce((total, { task }) => total + task.stepCount, 0)
  const snapshots = world.snapshots.map(({ diskBytes, ramBytes }) => ({ bytes: diskBytes + ramBytes }))
  return {
    traces: entries.length,
    steps,
    frames: { count: steps * 2, bytes: sum(entries) },
    unused: { count: 14, bytes: 3_900_000 },
    snapshots: { count: snapshots.length, bytes: sum(snapshots) },
    databaseBytes: 2_300_000,
  }
}

/** By number and by age only. */
function expiredIn(world: FakeWorld, policy: RetentionPolicy | null): Expired[] {
  if (!policy) return []
  const oldest = policy.maxAgeDays === undefined ? 0 : Date.now() - policy.maxAgeDays * 86_400_000
  return entriesIn(world)
    .map((entry, index) => ({ entry, tooMany: index >= (policy.maxTraces ?? Number.POSITIVE_INFINITY) }))
    .filter(({ entry: { tags } }) => !tags.some((tag) => policy.keepTags.includes(tag)))
    .flatMap(({ entry: { task, bytes }, tooMany }): Expired[] => {
      const tooOld = Date.parse(task.createdAt) < oldest
      if (!tooOld && !tooMany) return []
      return [{ taskId: task.id, goal: task.goal, bytes, reason: tooOld ? 'age' : 'count' }]
    })
    .reverse()
}
