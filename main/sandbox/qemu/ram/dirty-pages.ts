import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { FileRecord } from '../integrity.ts'
import type { QemuProcess } from '../process.ts'
import type { RamBase, RamMechanism, SavedRam } from './mechanism.ts'
import { migrated } from './migration.ts'
import { COMPRESSED_SUFFIX } from './page-file.ts'
import { PageThread } from './page-thread.ts'

/**
 * Linux. Every machine maps its template's RAM file copy on write, so clones share what they have not changed. A
 * snapshot is the pages the guest has written since, found in the kernel's page map, beside the device state. Its
 * cost is what the guest has changed, not how deep the tree is: each snapshot stands on the template alone.
 */
export class DirtyPages implements RamMechanism {
  readonly name = 'dirty-pages'
  readonly #idle: PageThread[] = []

  warmUp(): void {
    if (this.#idle.length > 0) return
    const thread = new PageThread()
    thread.start()
    this.#idle.push(thread)
  }

  async source(base: RamBase) {
    const file = ramFile(base)
    if (base.blank) {
      await fs.mkdir(base.folder, { recursive: true })
      const blank = await fs.open(file, 'a', 0o600)
      await blank.truncate(base.ramBytes).finally(() => blank.close())
    }
    return { kind: 'file' as const, path: file }
  }

  async load(qemu: QemuProcess, base: RamBase, snapshot: string | null): Promise<void> {
    if (snapshot)
      await this.#withThread((thread) =>
        thread.run({
          kind: 'inject',
          pid: qemu.pid,
          ramFile: ramFile(base),
          ramBytes: base.ramBytes,
          delta: deltaOf(snapshot),
        }),
      )
    await qemu.qmp.execute('migrate-incoming', { uri: `file:${path.join(snapshot ?? base.folder, DEVICE_STATE)}` })
    await migrated(qemu)
  }

  async save(qemu: QemuProcess, base: RamBase, into: string, as: 'template' | 'snapshot') {
    const thread = this.#idle.pop() ?? new PageThread()
    const deviceFile = path.join(into, DEVICE_STATE)
    try {
      await Promise.all([
        thread.run({ kind: 'copy', pid: qemu.pid, ramFile: ramFile(base), ramBytes: base.ramBytes }),
        // Off its label, but just what is wanted: every device's state and none of the RAM, which lies in our own files.
        qemu.qmp.execute('xen-save-devices-state', { filename: deviceFile, live: false }),
      ])
    } catch (error) {
      await thread.close() // it may hold the memory it has copied
      throw error
    }
    const finish = async (): Promise<SavedRam> => {
      const name = as === 'template' ? RAM_FULL : RAM_DELTA
      const kind = as === 'template' ? 'full' : 'delta'
      const written = Written.parse(
        await thread
          .run({ kind: 'write', as: kind, file: path.join(into, name), ramBytes: base.ramBytes })
          .finally(() => this.#idle.push(thread)),
      )
      const device = await fs.readFile(deviceFile)
      const files = {
        [name]: as === 'template' ? { ...written, sparse: true } : written,
        [DEVICE_STATE]: { bytes: device.length, sha256: createHash('sha256').update(device).digest('hex') },
      }
      return { bytes: written.bytes + device.length, files }
    }
    return { finish }
  }

  async compress(snapshot: string): Promise<Record<string, FileRecord | null>> {
    const file = path.join(snapshot, RAM_DELTA)
    if (!existsSync(file)) return {}
    const written = Written.parse(await this.#withThread((thread) => thread.run({ kind: 'compress', file })))
    return { [RAM_DELTA]: null, [`${RAM_DELTA}${COMPRESSED_SUFFIX}`]: written }
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((thread) => thread.close()))
  }

  async #withThread<T>(work: (thread: PageThread) => Promise<T>): Promise<T> {
    const thread = this.#idle.pop() ?? new PageThread()
    try {
      return await work(thread)
    } finally {
      this.#idle.push(thread)
    }
  }
}

export const RAM_FULL = 'ram'
export const RAM_DELTA = 'ram.delta'
export const DEVICE_STATE = 'device.state'

/** The record names one of the two; a crash while compressing may leave both, and either will do. */
function deltaOf(snapshot: string): string {
  const plain = path.join(snapshot, RAM_DELTA)
  return existsSync(plain) ? plain : `${plain}${COMPRESSED_SUFFIX}`
}

const ramFile = (base: RamBase) => path.join(base.folder, RAM_FULL)
const Written = z.object({ bytes: z.number(), sha256: z.string() })
