import { findImage } from '../../vm/find-image.ts'
import { ensureQemuBundle, findSystemQemu } from '../../vm/qemu-bundle.ts'
import type { MachineSize } from '../contract/settings.ts'
import type { Paths } from '../paths.ts'
import { machineSizeFor } from '../sandbox/machine-size.ts'
import { QemuDriver } from '../sandbox/qemu/driver.ts'
import type { SandboxDriver } from '../sandbox/sandbox.ts'
import { roomToSpare } from './capacity.ts'

/**
 * The machines of this host: GODHAND_DRIVER=fake gives painted ones, for work on the UI. GODHAND_POOL says how many stand
 * ready (one, where memory allows).
 */
export async function openDefaultDriver(
  paths: Paths,
  machineSize: () => MachineSize = machineSizeFor,
): Promise<SandboxDriver> {
  if (process.env.GODHAND_DRIVER === 'fake') {
    const { FakeDriver } = await import('../sandbox/fake/driver.ts')
    return new FakeDriver()
  }
  const qemu =
    (await findSystemQemu()) ??
    (await ensureQemuBundle({ folder: paths.qemu, cache: paths.cache, onProgress: () => {} }))
  const size = Math.max(0, Math.min(4, Math.floor(Number(process.env.GODHAND_POOL ?? 1)) || 0))
  const pool = { size, room: () => roomToSpare(machineSize().memoryMb) }
  return new QemuDriver({ paths, qemu, findImage: (name) => findImage(paths.images, name), pool, size: machineSize })
}
