import { createHash } from 'node:crypto'
import { copyFile, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { z } from 'zod'
import { GodHandError } from '../main/contract/errors.ts'
import type { OnProgress } from '../main/contract/progress.ts'
import { sha256OfFile } from './apt.ts'
import { compressDisk } from './disk.ts'
import { describeOutput, type GuestImage, MANIFEST, openImage } from './guest-image.ts'
import { ImageName, type ImportedManifest } from './image-manifest.ts'
import { removeStaleBuilds } from './stale-builds.ts'
import { isOurs } from './user-recipe.ts'

export type ImportOptions = {
  file: string
  name: string
  /** By the file's own look unless said. */
  medium?: 'disk' | 'cdrom' | undefined
  /** Of the empty disk beside an installation medium. */
  diskGb: number
  restSeconds: number
  sshUser: string | null
  images: string
  qemuImg: string
  onProgress: OnProgress
  signal?: AbortSignal | undefined
}

/** Raised when the same file is imported into other bytes. */
const IMPORTER_VERSION = 1
const GB = 1024 ** 3

/** A person's own disk or installation medium as an image. The file is copied and stays as it is. Safe to repeat. */
export async function importImage(options: ImportOptions): Promise<GuestImage> {
  const { file, images, qemuImg, onProgress, signal, restSeconds, sshUser } = options
  const name = ImageName.parse(options.name)
  if (isOurs(name)) throw new GodHandError('conflict', `“${name}” is the name of an image of ours.`)
  const found = await stat(file).catch(() => null)
  if (!found?.isFile()) throw new GodHandError('not_found', `There is no file ${file}.`)
  const medium = options.medium ?? ((await isCdrom(file)) ? 'cdrom' : 'disk')
  const disk = medium === 'disk' ? await inspectDisk(qemuImg, file) : null
  const diskBytes = disk?.bytes ?? options.diskGb * GB

  onProgress({ step: 'Reading the file', done: 0, total: -1 })
  const sha256 = await sha256OfFile(file)
  const parts = [IMPORTER_VERSION, name, medium, sha256, diskBytes, restSeconds, sshUser]
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  const folder = path.join(images, `${name}-${key.slice(0, 12)}`)
  const present = await openImage(folder)
  if (present?.key === key) return present

  await mkdir(images, { recursive: true })
  await removeStaleBuilds(images)
  const scratch = path.join(images, `.build-${name}-${process.pid}`)
  await mkdir(scratch)
  try {
    const into = path.join(scratch, 'disk.qcow2')
    if (disk) await compressDisk({ qemuImg, from: file, format: disk.format, into, onProgress, signal })
    else {
      await execa(qemuImg, ['create', '-q', '-f', 'qcow2', into, String(diskBytes)])
      onProgress({ step: 'Copying the medium', done: 0, total: -1 })
      await copyFile(file, path.join(scratch, 'medium.iso'))
    }
    signal?.throwIfAborted()
    const manifest: ImportedManifest = {
      format: 'imported',
      variant: name,
      key,
      source: { name: path.basename(file), sha256 },
      diskBytes,
      restSeconds,
      sshUser,
      outputs: {
        disk: await describeOutput(scratch, 'disk.qcow2'),
        ...(disk ? {} : { cdrom: await describeOutput(scratch, 'medium.iso') }),
      },
    }
    await writeFile(path.join(scratch, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
    await rm(folder, { recursive: true, force: true })
    await rename(scratch, folder)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  const image = await openImage(folder)
  if (!image) throw new GodHandError('image_build_failed', 'The imported image cannot be read.')
  return image
}

/** ISO 9660 says so itself, 32 KB in. */
async function isCdrom(file: string): Promise<boolean> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(5), 0, 5, 32_769)
    return bytesRead === 5 && buffer.toString('latin1') === 'CD001'
  } finally {
    await handle.close()
  }
}

const DiskInfo = z.object({
  format: z.string(),
  'virtual-size': z.number(),
  'backing-filename': z.string().optional(),
  'format-specific': z.object({ data: z.object({ 'data-file': z.string().optional() }).optional() }).optional(),
})

/** A disk that leans on other files of this host could bring any of them into the guest: only one that is whole is taken. */
async function inspectDisk(qemuImg: string, file: string): Promise<{ format: 'qcow2' | 'raw'; bytes: number }> {
  const { stdout, failed, stderr } = await execa(qemuImg, ['info', '--output=json', '-U', file], { reject: false })
  if (failed) throw new GodHandError('bad_request', `${file} cannot be read as a disk: ${stderr.trim()}`)
  const info = DiskInfo.parse(JSON.parse(stdout))
  const { format } = info
  if (format !== 'qcow2' && format !== 'raw')
    throw new GodHandError('unsupported', `${file} is a disk in the format ${format}.`, {
      hint: `Convert it first: qemu-img convert -O qcow2 ${path.basename(file)} disk.qcow2`,
    })
  if (info['backing-filename'] || info['format-specific']?.data?.['data-file'])
    throw new GodHandError('bad_request', `${file} is not whole: it stands on another file.`, {
      hint: `Make it whole first: qemu-img convert -O qcow2 ${path.basename(file)} whole.qcow2`,
    })
  if (info['virtual-size'] < 512) throw new GodHandError('bad_request', `${file} is empty.`)
  return { format, bytes: info['virtual-size'] }
}
