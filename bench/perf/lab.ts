import fs from 'node:fs/promises'
import path from 'node:path'
import { currentPaths, type Paths, pathsIn } from '../../main/paths.ts'
import { QemuDriver } from '../../main/sandbox/qemu/driver.ts'
import type { SandboxSpec, SnapshotFiles } from '../../main/sandbox/sandbox.ts'
import { findImage } from '../../vm/find-image.ts'
import type { GuestImage } from '../../vm/guest-image.ts'
import { ensureQemuBundle, findSystemQemu } from '../../vm/qemu-bundle.ts'
import type { QemuInstall } from '../../vm/qemu-install.ts'
import type { Samples } from './samples.ts'

export type LabOptions = { image: string; samples: Samples; repeats: number; onProgress: (text: string) => void }

/** Where measurements are made: a data folder of its own beside the real one, so that the disk is the same. */
export class Lab {
  readonly paths: Paths
  readonly qemu: QemuInstall
  readonly image: GuestImage
  readonly driver: QemuDriver
  readonly samples: Samples
  readonly repeats: number
  readonly say: (text: string) => void
  #made = 0

  private constructor(paths: Paths, qemu: QemuInstall, image: GuestImage, options: LabOptions) {
    this.paths = paths
    this.qemu = qemu
    this.image = image
    this.driver = new QemuDriver({ paths, qemu, findImage: async () => image })
    this.samples = options.samples
    this.repeats = options.repeats
    this.say = options.onProgress
  }

  static async open(options: LabOptions): Promise<Lab> {
    const { home, assets, qemu: folder, cache, images } = currentPaths()
    await fs.mkdir(home, { recursive: true })
    const qemu =
      (await findSystemQemu()) ??
      (await ensureQemuBundle({ folder, cache, onProgress: ({ step }) => options.onProgress(step) }))
    const image = await findImage(images, options.image)
    const ownHome = await fs.mkdtemp(path.join(home, 'perf-'))
    return new Lab(pathsIn(ownHome, assets), qemu, image, options)
  }

  create(spec: Omit<SandboxSpec, 'id' | 'image'> = {}) {
    return this.driver.create({ id: `perf-${++this.#made}`, image: this.image.name, ...spec })
  }

  async newSnapshotFolder(): Promise<SnapshotFiles> {
    const id = `perf-snapshot-${++this.#made}`
    const folder = path.join(this.paths.snapshots, id)
    await fs.mkdir(folder, { recursive: true, mode: 0o700 })
    return { id, folder }
  }

  async removeSnapshots(): Promise<void> {
    await fs.rm(this.paths.snapshots, { recursive: true, force: true })
  }

  async close(): Promise<void> {
    await this.driver.close()
    await fs.rm(this.paths.home, { recursive: true, force: true })
  }
}

/** A change of the kind every task makes, small and the same before each snapshot, ours or QEMU's. */
export const CHANGE = 'head -c 1000000 /dev/urandom >> ~/changed && sync && date >> ~/log && tail -n 3 ~/log'
