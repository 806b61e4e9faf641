import fs from 'node:fs/promises'
import path from 'node:path'
import { ensureImage, openImage } from '../../vm/image-builder.ts'
import { ensureQemuBundle, findSystemQemu } from '../../vm/qemu-bundle.ts'
import { GodHandError } from '../contract/errors.ts'
import type { Image } from '../contract/image.ts'
import type { Paths } from '../paths.ts'

const GOING = '.removed-'

/** Every whole image there is, the newest of each name first. */
export async function listImages(paths: Paths): Promise<Image[]> {
  const entries = await fs.readdir(paths.images, { withFileTypes: true }).catch(() => [])
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  const images = await Promise.all(folders.map(({ name }) => describe(path.join(paths.images, name))))
  return images
    .filter((image) => image !== null)
    .sort((a, b) => (a.name === b.name ? b.builtAt.localeCompare(a.builtAt) : a.name.localeCompare(b.name)))
}

async function describe(folder: string): Promise<Image | null> {
  const image = await openImage(folder)
  if (!image) return null
  const { disk, kernel, initrd } = image.manifest.outputs
  return {
    id: path.basename(folder),
    name: image.variant,
    key: image.key,
    bytes: disk.bytes + kernel.bytes + initrd.bytes,
    diskSha256: disk.sha256,
    packages: image.manifest.packages.length,
    builtAt: (await fs.stat(path.join(folder, 'manifest.json'))).mtime.toISOString(),
  }
}

/** Returns at once when it is there and nothing it is made of has changed. */
export async function buildImage(paths: Paths, variant: 'desktop' | 'minimal'): Promise<Image> {
  const { images, cache } = paths
  const onProgress = () => {}
  const qemu = (await findSystemQemu()) ?? (await ensureQemuBundle({ folder: paths.qemu, cache, onProgress }))
  const { folder } = await ensureImage({ variant, images, cache, qemuImg: qemu.img, onProgress })
  const image = await describe(folder)
  if (!image) throw new GodHandError('image_build_failed', 'The finished image cannot be read.')
  return image
}

/** `using` are the names of images that machines and snapshots stand on: the newest of each is theirs. */
export async function removeImage(paths: Paths, id: string, using: Set<string>): Promise<number> {
  const images = await listImages(paths)
  const image = images.find((each) => each.id === id)
  if (!image) throw new GodHandError('not_found', `There is no image ${id}.`, { hint: 'List them: godhand image list' })
  const newest = images.find(({ name }) => name === image.name)
  if (newest === image && using.has(image.name))
    throw new GodHandError('conflict', `Image ${id} cannot be removed: machines or snapshots stand on it.`)
  // Out of sight in one step: half an image must never be found. What an earlier removal left goes along.
  await fs.rename(path.join(paths.images, id), path.join(paths.images, `${GOING}${id}`))
  for (const name of await fs.readdir(paths.images))
    if (name.startsWith(GOING)) await fs.rm(path.join(paths.images, name), { recursive: true, force: true })
  return image.bytes
}
