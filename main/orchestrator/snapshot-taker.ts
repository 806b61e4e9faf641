import fs from 'node:fs/promises'
import path from 'node:path'
import type { Snapshot } from '../contract/machine.ts'
import type { KeptFrame } from '../contract/reading.ts'
import type { Paths } from '../paths.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { encodePng, hashFrame } from '../screen/frames.ts'
import type { FrameStore } from '../trace/frame-store.ts'
import { newId } from '../trace/ids.ts'
import type { Store } from '../trace/store.ts'
import type { LiveMachine } from './live-machine.ts'

export type TakerOptions = { paths: Paths; store: Store; frames: FrameStore }

/** Keeps what a machine is and what it shows. */
export class SnapshotTaker {
  readonly #options: TakerOptions

  constructor(options: TakerOptions) {
    this.#options = options
  }

  /** RAM, devices and disk as a new node of the tree: there as a whole, or not at all. */
  async take(live: LiveMachine, sandbox: Sandbox, label: string | null): Promise<Snapshot> {
    const { store, paths } = this.#options
    const id = newId('snap')
    const folder = path.join(paths.snapshots, id)
    store.snapshots.begin({
      id,
      parentId: live.head,
      machineId: live.id,
      taskId: live.machine.taskId,
      label,
      image: live.machine.image,
      pinned: false,
      createdAt: new Date().toISOString(),
    })
    try {
      await fs.mkdir(folder, { recursive: true, mode: 0o700 })
      const { frame } = await this.keepFrame(sandbox)
      const { pauseMs, diskBytes, ramBytes, templateKey } = await sandbox.snapshot({ id, folder })
      const snapshot = store.snapshots.finish(id, { templateKey, pauseMs, diskBytes, ramBytes, frame })
      live.head = id
      return snapshot
    } catch (error) {
      await fs.rm(folder, { recursive: true, force: true })
      store.snapshots.discard(id)
      throw error
    }
  }

  async keepFrame(sandbox: Sandbox): Promise<KeptFrame> {
    const frame = await sandbox.capture()
    const hash = await hashFrame(frame)
    const png = await encodePng(frame)
    await this.#options.frames.put(hash, png)
    const { width, height } = frame
    this.#options.store.frames.insert({ hash, width, height, bytes: png.length, createdAt: new Date().toISOString() })
    return { frame: hash, width, height }
  }
}
