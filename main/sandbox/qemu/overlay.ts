import fs from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import type { QemuInstall } from '../../../vm/qemu-install.ts'

const prototypes = new Map<string, Promise<string>>()

/**
 * An empty qcow2 of the image's size. What it stands on is said on the command line and not in the file, so every empty
 * one is the same: qemu-img makes the first, the others are copies.
 */
export async function newOverlay(qemu: QemuInstall, baseDisk: string, scratch: string, file: string): Promise<void> {
  const key = `${scratch}:${baseDisk}`
  let prototype = prototypes.get(key)
  if (!prototype) {
    prototype = makePrototype(qemu, baseDisk, scratch)
    prototypes.set(key, prototype)
    prototype.catch(() => prototypes.delete(key))
  }
  await fs.copyFile(await prototype, file)
}

async function makePrototype(qemu: QemuInstall, baseDisk: string, scratch: string): Promise<string> {
  await fs.mkdir(scratch, { recursive: true })
  const { stdout } = await execa(qemu.img, ['info', '--output=json', '-U', baseDisk])
  const size = Number(JSON.parse(stdout)['virtual-size'])
  const file = path.join(scratch, `empty-${size}.qcow2`)
  await execa(qemu.img, ['create', '-q', '-f', 'qcow2', file, String(size)])
  return file
}
