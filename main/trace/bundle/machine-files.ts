import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { GodHandError } from '../../contract/errors.ts'
import type { OnProgress } from '../../contract/progress.ts'
import { limits, MACHINE_FILE, names } from './format.ts'
import type { ZipWriter } from './zip-writer.ts'

/** A snapshot's files, as they lie on disk: what it changed, standing on the snapshots before it and on the template. */
export type MachineFolder = { id: string; folder: string }
export type PackedMachines = { snapshots: string[]; bytes: number }

/** Streams them; the largest is never in memory as a whole. */
export async function addMachines(
  zip: ZipWriter,
  machines: MachineFolder[],
  onProgress: OnProgress | undefined,
  signal: AbortSignal | undefined,
): Promise<PackedMachines> {
  const packed: PackedMachines = { snapshots: [], bytes: 0 }
  for (const [n, { id, folder }] of machines.entries()) {
    for (const file of (await fs.readdir(folder)).toSorted()) {
      signal?.throwIfAborted()
      onProgress?.({ step: 'Packing machines', done: n, total: machines.length, detail: `${id}/${file}` })
      const name = names.machineFile(id, file)
      const { size } = await fs.stat(path.join(folder, file))
      if (!MACHINE_FILE.test(name) || size > limits.machineFileBytes)
        throw new GodHandError('unsupported', `The snapshot ${id} has a file that cannot be packed: ${file}.`)
      await zip.addFile(name, () => createReadStream(path.join(folder, file), { highWaterMark: 1 << 20 }))
      packed.bytes += size
    }
    packed.snapshots.push(id)
  }
  return packed
}
