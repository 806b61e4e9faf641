import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { findImage } from '../../../vm/find-image.ts'
import { ensureQemuBundle, findSystemQemu } from '../../../vm/qemu-bundle.ts'
import { currentPaths, type Paths, pathsIn } from '../../paths.ts'
import { QemuDriver, type QemuDriverOptions } from './driver.ts'

/**
 * For machine tests: a driver with a home of its own, on the image and template that all of them share. `npm test`
 * makes these first; a test never builds an image by itself. A home that is given stays when the driver is closed.
 */
export async function openTestDriver({ home: given, ...options }: TestOptions = {}): Promise<TestDriver> {
  const home = given ?? (await fs.mkdtemp(path.join(os.tmpdir(), 'gh-')))
  const paths = pathsIn(home, currentPaths().assets)
  const qemu =
    (await findSystemQemu()) ??
    (await ensureQemuBundle({ folder: paths.qemu, cache: paths.cache, onProgress: () => {} }))
  const driver = new QemuDriver({ paths, qemu, findImage: (name) => findImage(paths.images, name), ...options })
  const close = async () => {
    await driver.close()
    if (given === undefined) await fs.rm(home, { recursive: true, force: true })
  }
  return { driver, paths, close }
}

type TestOptions = Partial<Pick<QemuDriverOptions, 'mechanism' | 'pool'>> & { home?: string }
export type TestDriver = { driver: QemuDriver; paths: Paths; close: () => Promise<void> }

/** An empty folder for a snapshot, as the store would give it. */
export async function snapshotFolder(paths: Paths, id: string): Promise<{ id: string; folder: string }> {
  const folder = path.join(paths.snapshots, id)
  await fs.mkdir(folder, { recursive: true })
  return { id, folder }
}
