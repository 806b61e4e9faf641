import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { GodHandError } from '../../contract/errors.ts'
import { layerBlockdev, layerName } from './argv.ts'
import type { Qmp } from './qmp.ts'

type Parts = {
  qmp: Qmp
  folder: string
  /** Layers there are, the one that is written to included. */
  count: number
  newOverlay: (file: string) => Promise<void>
}

const Jobs = z.array(z.object({ id: z.string(), status: z.string(), error: z.string().optional() }))
const MERGE = 'merge'

/** The layers of a live machine's disk. A snapshot freezes the top one and puts an empty one above it. */
export class DiskLayers {
  readonly #parts: Parts
  #count: number

  constructor(parts: Parts) {
    this.#parts = parts
    this.#count = parts.count
  }

  /** The layer that is written to. */
  get topFile(): string {
    return this.#file(this.#count - 1)
  }

  /** An empty layer, made and known to QEMU, that nothing is written to yet. */
  async prepare(): Promise<void> {
    const file = this.#file(this.#count)
    await this.#parts.newOverlay(file)
    await this.#qmp('blockdev-add', layerBlockdev(file, layerName(this.#count), null, true))
  }

  /** From now on the prepared layer is written to. Returns the file of the one below, which is not any more. */
  async freeze(): Promise<string> {
    await this.#qmp('blockdev-snapshot', { node: layerName(this.#count - 1), overlay: layerName(this.#count) })
    return this.#file(this.#count++ - 1)
  }

  /** Takes back `prepare`. */
  async discard(): Promise<void> {
    await this.#qmp('blockdev-del', { 'node-name': layerName(this.#count) })
    await fs.rm(this.#file(this.#count), { force: true })
  }

  /**
   * Takes back `freeze`: what was written since goes into the layer below, which is the top again. A layer that no
   * snapshot keeps would be missing under every later one.
   */
  async unfreeze(): Promise<void> {
    const top = layerName(this.#count - 1)
    await this.#qmp('block-commit', { 'job-id': MERGE, device: top, 'base-node': layerName(this.#count - 2) })
    await this.#jobReaches('ready')
    await this.#qmp('job-complete', { id: MERGE })
    await this.#jobReaches('gone')
    this.#count--
    await this.discard()
  }

  async #jobReaches(status: 'ready' | 'gone'): Promise<void> {
    for (;;) {
      const job = Jobs.parse(await this.#qmp('query-jobs')).find(({ id }) => id === MERGE)
      if ((job?.status ?? 'gone') === status) return
      if (!job || job.error) throw new GodHandError('machine_error', job?.error ?? 'The layers of the disk stay apart.')
      await delay(5)
    }
  }

  #file(layer: number): string {
    return path.join(this.#parts.folder, `disk-${layer}.qcow2`)
  }

  #qmp(command: string, args?: Record<string, unknown>): Promise<unknown> {
    return this.#parts.qmp.execute(command, args)
  }
}
