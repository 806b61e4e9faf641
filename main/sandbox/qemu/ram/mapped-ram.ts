import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { QemuProcess } from '../process.ts'
import type { RamBase, RamMechanism, SavedRam } from './mechanism.ts'
import { migrated } from './migration.ts'

/** Everywhere. QEMU's own migration to a file; the guest stands still while all of its memory is written. */
export class MappedRam implements RamMechanism {
  readonly name = 'mapped-ram'

  warmUp() {}

  source() {
    return Promise.resolve({ kind: 'anonymous' as const })
  }

  async load(qemu: QemuProcess, base: RamBase, snapshot: string | null): Promise<void> {
    await setCapabilities(qemu)
    await qemu.qmp.execute('migrate-incoming', { uri: `file:${path.join(snapshot ?? base.folder, MIGRATION)}` })
    await migrated(qemu)
  }

  async save(qemu: QemuProcess, _base: RamBase, into: string) {
    const file = path.join(into, MIGRATION)
    await setCapabilities(qemu)
    await qemu.qmp.execute('migrate', { uri: `file:${file}` })
    await migrated(qemu)
    const finish = async (): Promise<SavedRam> => {
      const { blocks } = await fs.stat(file)
      return {
        bytes: blocks * 512,
        files: { [MIGRATION]: { bytes: (await fs.stat(file)).size, sha256: await sha256(file) } },
      }
    }
    return { finish }
  }

  compress() {
    return Promise.resolve({}) // its file is loaded by QEMU itself, which reads no compressed ones
  }

  close() {
    return Promise.resolve()
  }
}

const MIGRATION = 'ram.migration'

async function setCapabilities(qemu: QemuProcess): Promise<void> {
  await qemu.qmp.execute('migrate-set-capabilities', { capabilities: [{ capability: 'mapped-ram', state: true }] })
  await qemu.qmp.execute('migrate-set-parameters', { 'max-bandwidth': 0 })
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk)
  return hash.digest('hex')
}
