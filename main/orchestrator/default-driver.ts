import { findImage } from '../../vm/find-image.ts'
import { ensureQemuBundle, findSystemQemu } from '../../vm/qemu-bundle.ts'
import type { Paths } from '../paths.ts'
import { QemuDriver } from '../sandbox/qemu/driver.ts'
import type { SandboxDriver } from '../sandbox/sandbox.ts'

/** The machines of this host: GODHAND_DRIVER=fake gives painted ones, for work on the UI. */
export async function openDefaultDriver(paths: Paths): Promise<SandboxDriver> {
  if (process.env.GODHAND_DRIVER === 'fake') {
    const { FakeDriver } = await import('../sandbox/fake/driver.ts')
    return new FakeDriver()
  }
  const qemu =
    (await findSystemQemu()) ??
    (await ensureQemuBundle({ folder: paths.qemu, cache: paths.cache, onProgress: () => {} }))
  return new QemuDriver({ paths, qemu, findImage: (name) => findImage(paths.images, name) })
}
