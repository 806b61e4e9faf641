import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { GodHandError } from '../main/contract/errors.ts'
import type { OnProgress } from '../main/contract/progress.ts'
import { sha256OfFile } from './apt.ts'
import { buildFailed } from './build-failure.ts'
import { compressDisk } from './disk.ts'
import { writeGuestTree } from './guest-tree.ts'
import { guestFiles, imageKey } from './image-key.ts'
import { ImageManifest } from './image-manifest.ts'
import { bootFiles } from './kernel.ts'
import { asRoot } from './namespace.ts'
import { debian } from './recipes/debian.ts'
import type { Recipe, Variant } from './recipes/recipe.ts'
import { fetchPackages, installPackages } from './rootfs.ts'
import { removeStaleBuilds } from './stale-builds.ts'

export type GuestImage = {
  variant: Variant
  folder: string
  disk: string
  kernel: string
  initrd: string
  key: string
  manifest: ImageManifest
}

export type ImageOptions = {
  variant: Variant
  /** Where images live, one folder each. */
  images: string
  /** Where downloaded packages are kept between builds. */
  cache: string
  qemuImg: string
  onProgress: OnProgress
  signal?: AbortSignal | undefined
  /** The recipe of that variant unless another is given. */
  recipe?: Recipe
}

const GUEST = path.join(import.meta.dirname, 'guest')
const FINISH = path.join(GUEST, 'finish.sh')
const FILES = { disk: 'disk.qcow2', kernel: 'vmlinuz', initrd: 'initrd.img' } as const

/**
 * The image of this variant, built if it is not there. The folder's name holds the key of everything that decides its
 * contents, so a changed recipe gives a new image beside the old one. Safe to repeat, to interrupt, and to run twice at
 * once: a build appears under its name in one rename.
 */
export async function ensureImage(options: ImageOptions): Promise<GuestImage> {
  const { variant, images } = options
  const recipe = options.recipe ?? debian[variant]
  const key = await imageKey(recipe, await guestFiles(path.join(GUEST, 'rootfs')), [FINISH])
  const folder = path.join(images, `${variant}-${key.slice(0, 12)}`)
  const present = await openImage(folder)
  if (present?.key === key) return present

  await mkdir(images, { recursive: true })
  await removeStaleBuilds(images)
  const scratch = path.join(images, `.build-${variant}-${process.pid}`)
  await mkdir(scratch)
  try {
    const finished = await build(options, recipe, key, scratch)
    await rm(folder, { recursive: true, force: true })
    await rename(finished, folder)
  } catch (thrown) {
    if (!options.signal?.aborted) throw thrown
    throw new GodHandError('cancelled', 'The image build was stopped.', { cause: thrown })
  } finally {
    await removeStaleBuilds(images, scratch)
  }
  const image = await openImage(folder)
  if (image === undefined) throw buildFailed('The finished image is not what was built.')
  return image
}

/** The image in this folder, or undefined if it is none or a part is missing or of another size. */
export async function openImage(folder: string): Promise<GuestImage | undefined> {
  const text = await readFile(path.join(folder, 'manifest.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const parsed = ImageManifest.safeParse(parseJson(text))
  if (!parsed.success) return undefined
  const manifest = parsed.data
  for (const { file, bytes } of Object.values(manifest.outputs)) {
    const found = await stat(path.join(folder, file)).catch(() => undefined)
    if (found?.size !== bytes) return undefined
  }
  const at = (name: keyof typeof FILES) => path.join(folder, manifest.outputs[name].file)
  const { variant, key } = manifest
  return { variant, folder, disk: at('disk'), kernel: at('kernel'), initrd: at('initrd'), key, manifest }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function build(options: ImageOptions, recipe: Recipe, key: string, scratch: string): Promise<string> {
  const { variant, cache, qemuImg, onProgress, signal } = options
  const prefix = await asRoot()
  const at = (name: string) => path.join(scratch, name)
  const packages = await fetchPackages(recipe, { cache, onProgress, signal })
  await installPackages(recipe, packages, { scratch, root: at('root'), asRoot: prefix, onProgress, signal })

  onProgress({ step: 'Taking the kernel apart', done: 0, total: -1 })
  const boot = await bootFiles(recipe, packages, at('boot'), signal)
  await writeGuestTree(at('tree'), {
    recipe,
    apt: packages.apt,
    boot,
    files: await guestFiles(path.join(GUEST, 'rootfs')),
  })
  await writeFile(at('strip'), recipe.strip.map((pattern) => `${pattern}\n`).join(''))

  onProgress({ step: 'Writing the guest’s disk', done: 0, total: -1 })
  const finish = [FINISH, at('root'), at('tree'), at('strip'), `${recipe.epoch}`, at('disk.raw'), `${recipe.diskBytes}`]
  const [command = '', ...args] = [...prefix, 'sh', ...finish]
  const made = await execa(command, args, {
    all: true,
    reject: false,
    ...(signal === undefined ? {} : { cancelSignal: signal }),
  })
  signal?.throwIfAborted()
  if (made.failed) throw buildFailed('The guest’s disk could not be written.', made.all.split('\n').slice(-40), made)

  const out = at('image')
  await mkdir(out)
  await compressDisk({ qemuImg, raw: at('disk.raw'), into: path.join(out, FILES.disk), onProgress, signal })
  await copyFile(boot.kernel, path.join(out, FILES.kernel))
  await writeFile(path.join(out, FILES.initrd), boot.initrd)
  const manifest: ImageManifest = {
    format: 1,
    variant,
    key,
    kernelRelease: boot.release,
    screen: { width: 1280, height: 800 },
    diskBytes: recipe.diskBytes,
    commandLine: recipe.commandLine.join(' '),
    outputs: {
      disk: await output(out, FILES.disk),
      kernel: await output(out, FILES.kernel),
      initrd: await output(out, FILES.initrd),
    },
    packages: [...packages.guest, packages.kernel]
      .map(({ name, version, architecture, sha256 }) => ({ name, version, architecture, sha256 }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
  await writeFile(path.join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return out
}

async function output(folder: string, file: string) {
  const full = path.join(folder, file)
  return { file, bytes: (await stat(full)).size, sha256: await sha256OfFile(full) }
}
