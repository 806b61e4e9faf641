import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { GodHandError } from '../../contract/errors.ts'
import type { Task } from '../../contract/task.ts'
import { openBundle } from '../bundle/bundle-reader.ts'
import { type CheckedFrame, forEachFrame } from '../bundle/check-frames.ts'
import { checkedLineage, checkedManifest, checkedSums, refusedBundle } from '../bundle/check-manifest.ts'
import { checkedSteps } from '../bundle/check-steps.ts'
import type { Manifest } from '../bundle/format.ts'
import { Refusal } from '../bundle/refusal.ts'
import { type VerifyOptions, verifyBundle } from '../bundle/verify-bundle.ts'
import type { FrameStore } from '../frame-store.ts'
import type { FrameRecord } from '../frames.ts'
import { newId } from '../ids.ts'
import type { Store } from '../store.ts'
import { importLineage } from './import-lineage.ts'
import { type MachineHome, takeMachines } from './machine-files.ts'
import { readSpool, spoolSteps } from './step-spool.ts'

export type ImportOptions = VerifyOptions & {
  /** When a trace of this id is here already: import it as another one instead of refusing. */
  copy?: boolean
  /** Left out: machines in the bundle are checked, but not taken. */
  machines?: MachineHome | undefined
}
export type Imported = { task: Task; sha256: string; frames: number; newFrames: number; machines: number }

/**
 * First the whole file is checked without writing anything. Then pictures, each checked again as it is stored, and at
 * last the rows in one transaction. Whatever goes wrong, what was stored for this import is removed again.
 */
export async function importBundle(
  file: string,
  store: Store,
  frames: FrameStore,
  options: ImportOptions = {},
): Promise<Imported> {
  const { signal, onProgress } = options
  const report = await verifyBundle(file, options)
  const [problem] = report.problems
  if (problem) throw refusedBundle(file, new Refusal(problem.kind, problem.where, problem.message))

  const spool = await fs.mkdtemp(path.join(os.tmpdir(), 'godhand-import-'))
  const bundle = await openBundle(file)
  const added: string[] = []
  const folders: string[] = []
  try {
    const manifest = await checkedManifest(bundle)
    const lineage = await checkedLineage(bundle)
    const task = taskToStore(store, manifest, options.copy ?? false)
    const stepFile = path.join(spool, 'steps.jsonl')
    await spoolSteps(checkedSteps(bundle, manifest), stepFile)
    const records: FrameRecord[] = []
    const keep = async ({ hash, png, width, height }: CheckedFrame) => {
      if (!(await frames.has(hash))) {
        added.push(hash)
        await frames.put(hash, png)
      }
      records.push({ hash, width, height, bytes: png.length, createdAt: manifest.task.createdAt })
      onProgress?.({ step: 'Storing pictures', done: records.length, total: manifest.frames.count })
    }
    const sums = await checkedSums(bundle)
    await forEachFrame(bundle, sums, keep, signal)
    const isHere = (id: string) => store.snapshots.get(id) !== null
    if (options.machines) onProgress?.({ step: 'Storing machines', done: 0, total: bundle.machines.length })
    const taken = options.machines ? await takeMachines(bundle, sums, options.machines, isHere, folders, signal) : []
    signal?.throwIfAborted()
    onProgress?.({ step: 'Storing steps', done: 0, total: -1 })
    store.transaction(() => {
      for (const record of records) store.frames.insert(record)
      store.tasks.insert({ ...task, stepCount: 0 }, manifest.request ?? undefined)
      const rows = importLineage(store, lineage, task.id, taken)
      for (const step of readSpool(stepFile)) store.steps.append(rows.adapt(step), [], step.snapshotAfter)
      for (const tag of manifest.tags) store.tags.add(task.id, tag)
      const importedAt = new Date().toISOString()
      store.imports.insert({ taskId: task.id, sha256: report.sha256, importedAt, manifest, lineage: rows.lineage })
    })
    return {
      task: { ...task, stepCount: manifest.steps.count },
      sha256: report.sha256,
      frames: records.length,
      newFrames: added.length,
      machines: taken.length,
    }
  } catch (thrown) {
    for (const folder of folders) await fs.rm(folder, { recursive: true, force: true })
    for (const hash of added) if (!store.frames.isReferenced(hash)) await frames.remove(hash)
    if (thrown instanceof Refusal) throw refusedBundle(file, thrown)
    if (signal?.aborted) throw new GodHandError('cancelled', 'The import was cancelled.', { cause: thrown })
    throw GodHandError.from(thrown)
  } finally {
    bundle.close()
    await fs.rm(spool, { recursive: true, force: true })
  }
}

/** Machines of another house do not live here; the bundle's lineage remembers them. */
function taskToStore(store: Store, { task }: Manifest, copy: boolean): Task {
  const known = store.tasks.get(task.id)
  if (known && !copy)
    throw new GodHandError('conflict', `The trace ${task.id} (“${known.goal.slice(0, 80)}”) is here already.`, {
      hint: 'Delete it first, or import it as a copy.',
      details: { taskId: task.id },
    })
  return { ...task, id: known ? newId('task') : task.id, machineId: null }
}
