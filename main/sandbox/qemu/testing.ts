import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { findImage } from '../../../vm/find-image.ts'
import { ensureQemuBundle, findSystemQemu } from '../../../vm/qemu-bundle.ts'
import { currentPaths, type Paths, pathsIn } from '../../paths.ts'
import { QemuDriver, type QemuDriverOptions } from './driver.ts'

/**
 * For machine tests: a driver with a home of its own, on the image and template that all of them share. `npm test`
 * makes these first; a test never builds an image by itself.
 */
export async function openTestDriver(options: Partial<Pick<QemuDriverOptions, 'mechanism'>> = {}): Promise<TestDriver> {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'gh-'))
  const paths = pathsIn(home, currentPaths().assets)
  const qemu =
    (await findSystemQemu()) ??
    (await ensureQemuBundle({ folder: paths.qemu, cache: paths.cache, onProgress: () => {} }))
  const driver = new QemuDriver({ paths, qemu, findImage: (name) => findImage(paths.images, name), ...options })
  const close = async () => {
    await driver.close()
    await fs.rm(home, { recursive: true, force: true })
  }
  return { driver, paths, close }
}

export type TestDriver = { driver: QemuDriver; paths: Paths; close: () => Promise<void> }

/** An empty folder for a snapshot, as the store would give it. */
export async function snapshotFolder(paths: Paths, id: string): Promise<{ id: string; folder: string }> {
  const folder = path.join(paths.snapshots, id)
  await fs.mkdir(folder, { recursive: true })
  return { id, folder }
}
