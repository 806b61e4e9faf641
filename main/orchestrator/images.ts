import fs from 'node:fs/promises'
import path from 'node:path'
import PQueue from 'p-queue'
import { type GuestImage, MANIFEST, openImage } from '../../vm/guest-image.ts'
import { ensureImage, type ImageOptions } from '../../vm/image-builder.ts'
import { importImage } from '../../vm/import-image.ts'
import { ensureQemuBundle, findSystemQemu } from '../../vm/qemu-bundle.ts'
import { isOurs, readUserRecipe } from '../../vm/user-recipe.ts'
import { GodHandError } from '../contract/errors.ts'
import type { BuildImage, Image, ImageWork, ImportImage } from '../contract/image.ts'
import type { OnProgress } from '../contract/progress.ts'
import type { Paths } from '../paths.ts'
import { TEMPLATE_RECORD } from '../sandbox/qemu/template.ts'
import type { SandboxDriver } from '../sandbox/sandbox.ts'
import type { ImageWorks } from './image-works.ts'

const GOING = '.removed-'

/** Every whole image there is, the newest of each name first. */
export async function listImages(paths: Paths): Promise<Image[]> {
  const entries = await fs.readdir(paths.images, { withFileTypes: true }).catch(() => [])
  // A link is an image that an installed app brought along.
  const folders = entries.filter(
    (entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'),
  )
  const images = await Promise.all(folders.map(({ name }) => describe(path.join(paths.images, name))))
  return images
    .filter((image) => image !== null)
    .sort((a, b) => (a.name === b.name ? b.builtAt.localeCompare(a.builtAt) : a.name.localeCompare(b.name)))
}

async function describe(folder: string): Promise<Image | null> {
  const image = await openImage(folder)
  if (!image) return null
  const { manifest, name, key, start } = image
  return {
    id: path.basename(folder),
    name,
    origin: manifest.format === 'imported' ? 'imported' : isOurs(name) ? 'ours' : 'extended',
    exec: start.kind === 'kernel' || start.sshUser !== null,
    key,
    bytes: Object.values(manifest.outputs).reduce((sum, output) => sum + (output?.bytes ?? 0), 0),
    diskSha256: manifest.outputs.disk.sha256,
    packages: manifest.format === 'imported' ? 0 : manifest.packages.length,
    builtAt: (await fs.stat(path.join(folder, MANIFEST))).mtime.toISOString(),
  }
}

type KeeperOptions = { paths: Paths; driver: SandboxDriver; work: ImageWorks; signal: AbortSignal }

/** Makes images and the pre-booted desktops of them, one after the other, and tells how far it is. */
export class ImageKeeper {
  readonly #options: KeeperOptions
  readonly #queue = new PQueue({ concurrency: 1 })

  constructor(options: KeeperOptions) {
    this.#options = options
  }

  /** Returns at once when it is there and nothing it is made of has changed. */
  async build(wish: BuildImage, alsoTell?: OnProgress): Promise<Image> {
    const additions = 'recipe' in wish ? await readUserRecipe(wish.recipe) : undefined
    const variant = 'recipe' in wish ? 'desktop' : wish.variant
    return this.#make('build', additions?.name ?? variant, (making) =>
      ensureImage({ variant, additions, ...making, onProgress: both(making.onProgress, alsoTell) }),
    )
  }

  import(wish: ImportImage): Promise<Image> {
    const sshUser = wish.sshUser ?? null
    return this.#make('import', wish.name, (making) => importImage({ ...wish, sshUser, ...making }))
  }

  #make(what: ImageWork['what'], name: string, make: (making: Making) => Promise<GuestImage>): Promise<Image> {
    const { paths, driver, work, signal } = this.#options
    const { report: onProgress, end } = work.begin(what, name)
    return this.#queue.add(async () => {
      try {
        onProgress({ step: 'Looking at what is there', done: 0, total: -1 })
        const { images, cache } = paths
        const qemu = (await findSystemQemu()) ?? (await ensureQemuBundle({ folder: paths.qemu, cache, onProgress }))
        const { folder } = await make({ images, cache, qemuImg: qemu.img, onProgress, signal })
        await driver.prepare(name, onProgress, signal)
        const image = await describe(folder)
        if (!image) throw new GodHandError('image_build_failed', 'The finished image cannot be read.')
        end()
        return image
      } catch (error) {
        end(error)
        throw error
      }
    })
  }
}

const both =
  (one: OnProgress, other: OnProgress = () => {}): OnProgress =>
  (progress) => {
    one(progress)
    other(progress)
  }

type Making = Pick<ImageOptions, 'images' | 'cache' | 'qemuImg' | 'onProgress' | 'signal'>

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
  await removeTemplatesOf(image.key, paths)
  return image.bytes
}

/** A pre-booted desktop of an image that is gone can never be used again. */
async function removeTemplatesOf(imageKey: string, { templates }: Paths): Promise<void> {
  for (const name of await fs.readdir(templates).catch(() => [])) {
    const folder = path.join(templates, name)
    const text = await fs.readFile(path.join(folder, TEMPLATE_RECORD), 'utf8').catch(() => '')
    if (text.includes(`"imageKey": "${imageKey}"`)) await fs.rm(folder, { recursive: true, force: true })
  }
}
