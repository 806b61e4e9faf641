import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { GodHandError } from '../main/contract/errors.ts'
import { type GuestImage, MANIFEST, openImage } from './guest-image.ts'

/** The newest whole image of this name. */
export async function findImage(images: string, name: string): Promise<GuestImage> {
  const folders = (await readdir(images).catch(() => [])).filter((folder) => folder.startsWith(`${name}-`))
  const found = await Promise.all(
    folders.map(async (folder) => {
      const image = await openImage(path.join(images, folder))
      return image?.name === name && { image, builtAt: (await stat(path.join(image.folder, MANIFEST))).mtimeMs }
    }),
  )
  const newest = found.filter((each) => each !== false && each !== undefined).sort((a, b) => b.builtAt - a.builtAt)[0]
  if (newest) return newest.image
  throw new GodHandError('missing_prerequisite', `The guest image “${name}” is not there.`, {
    hint: 'See those there are, and build or import others: godhand image --help',
  })
}
