import { promisify } from 'node:util'
import zlib from 'node:zlib'

export type CpioEntry = { path: string; mode: number; data?: Buffer | string }

const DIRECTORY = 0o040000
const FILE = 0o100000

/** The kernel's `newc` archive. Sorted, all times zero, owned by root: the same entries always give the same bytes. */
export function cpio(entries: CpioEntry[]): Buffer {
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const parts = sorted.map((entry, index) => cpioEntry(index + 1, entry))
  return Buffer.concat([...parts, cpioEntry(0, { path: 'TRAILER!!!', mode: 0 })])
}

function cpioEntry(inode: number, entry: CpioEntry): Buffer {
  const data = Buffer.from(entry.data ?? '')
  const name = Buffer.from(`${entry.path}\0`)
  const fields = [inode, entry.mode, 0, 0, 1, 0, data.length, 0, 0, 0, 0, name.length, 0]
  const header = `070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`
  return Buffer.concat([padded(Buffer.concat([Buffer.from(header), name])), padded(data)])
}

function padded(data: Buffer): Buffer {
  return Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)])
}

export type InitramfsModule = { name: string; data: Buffer }

/** Mounts /dev/vda and hands over. When that fails the kernel's panic says so on the serial line. */
const INIT = `#!/bin/busybox sh
/bin/busybox mount -t devtmpfs dev /dev
while read -r module; do /bin/busybox insmod "/modules/$module.ko"; done < /modules/order
/bin/busybox mount -t ext4 -o rw,noatime,discard /dev/vda /root || /bin/busybox echo GODHAND-NO-ROOT > /dev/ttyS0
/bin/busybox mount -o move /dev /root/dev
exec /bin/busybox switch_root /root /sbin/init
`

/** The modules are loaded in the order given. */
export async function initramfs(busybox: Buffer, modules: InitramfsModule[]): Promise<Buffer> {
  const folders = ['bin', 'dev', 'modules', 'root'].map((path) => ({ path, mode: DIRECTORY | 0o755 }))
  const order = modules.map(({ name }) => `${name}\n`).join('')
  const archive = cpio([
    ...folders,
    { path: 'bin/busybox', mode: FILE | 0o755, data: busybox },
    { path: 'init', mode: FILE | 0o755, data: INIT },
    { path: 'modules/order', mode: FILE | 0o644, data: order },
    ...modules.map(({ name, data }) => ({ path: `modules/${name}.ko`, mode: FILE | 0o644, data })),
  ])
  const level = { [zlib.constants.ZSTD_c_compressionLevel]: 19 }
  return promisify(zlib.zstdCompress)(archive, { params: level })
}
