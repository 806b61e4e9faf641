import { setImmediate } from 'node:timers/promises'
import type { Environment } from '../../contract/environment.ts'
import { GodHandError } from '../../contract/errors.ts'
import type { RunTask, Step, Task } from '../../contract/task.ts'
import { totalTokens, type Usage } from '../../contract/usage.ts'
import type { Lineage } from '../bundle/format.ts'
import type { MachineFolder } from '../bundle/machine-files.ts'
import type { FrameStore } from '../frame-store.ts'
import type { StoreReader } from '../store.ts'
import { hasEnded } from '../task-state.ts'
import { lineageOf } from './lineage.ts'

/** A finished trace as exporters see it: from the store, or with parts of it blacked out on the way. */
export interface TraceSource {
  readonly task: Task
  readonly request: RunTask | null
  readonly tags: string[]
  readonly lineage: Lineage
  readonly environment: Environment | null // of its first machine
  readonly cost: Usage | null // null: no model was asked
  readonly origin: { sha256: string; importedAt: string } | null
  readonly redaction: { regions: number; patterns: number } | null
  /** Snapshots whose files go along; none unless that was asked for. */
  readonly machines: MachineFolder[]
  /** Every frame the trace shows, by name. */
  readonly frames: string[]
  /** In order, a few in memory at a time. */
  steps(): AsyncIterable<Step>
  /** The PNG, or null when it was lost. */
  frame(hash: string): Promise<Buffer | null>
}

const pageSize = 50

export function openSource(store: StoreReader, frames: FrameStore, taskId: string): TraceSource {
  const task = store.tasks.get(taskId)
  if (!task)
    throw new GodHandError('not_found', `There is no trace ${taskId}.`, { hint: 'List them: godhand trace list' })
  if (!hasEnded(task.state))
    throw new GodHandError('conflict', `The task ${taskId} is still ${task.state}.`, {
      hint: 'Export it when it has ended, or stop it first.',
    })
  const imported = store.imports.get(taskId)
  return {
    task,
    request: store.tasks.request(taskId),
    tags: store.tags.of(taskId),
    lineage: imported?.lineage ?? lineageOf(store, taskId),
    environment: imported ? imported.manifest.environment : (store.machines.ofTask(taskId)[0]?.environment ?? null),
    cost: imported ? imported.manifest.cost : costOf(store, taskId),
    origin: imported && { sha256: imported.sha256, importedAt: imported.importedAt },
    redaction: null,
    machines: [],
    frames: store.frames.ofTask(taskId).map(({ hash }) => hash),
    async *steps() {
      for (let from = 0; from < task.stepCount; from += pageSize) {
        yield* store.steps.list(taskId, { from, limit: pageSize })
        await setImmediate() // a long trace must not keep the engine from everything else
      }
    },
    frame: (hash) => frames.get(hash),
  }
}

/** The steps that led to the machine the task ended with: those of ways that lost happened elsewhere, and at the same time. */
export async function* stepsOfTheLine({ lineage, steps }: TraceSource): AsyncGenerator<Step> {
  const lost = new Set<string>()
  for (const { id, won, parentId } of lineage.branches ?? [])
    if (!won || (parentId !== null && lost.has(parentId))) lost.add(id)
  for await (const step of steps()) if (step.branchId === undefined || !lost.has(step.branchId)) yield step
}

function costOf(store: StoreReader, taskId: string): Usage | null {
  const usage = store.conversations.get(taskId)?.spent.usage
  return usage && totalTokens(usage) > 0 ? usage : null
}
