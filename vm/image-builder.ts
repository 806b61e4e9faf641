import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { GodHandError } from '../main/contract/errors.ts'
import type { OnProgress } from '../main/contract/progress.ts'
import { buildFailed } from './build-failure.ts'
import { compressDisk } from './disk.ts'
import { describeOutput, type GuestImage, MANIFEST, openImage } from './guest-image.ts'
import { writeGuestTree } from './guest-tree.ts'
import { type GuestFile, guestFiles, imageKey, mergeFiles } from './image-key.ts'
import type { BuiltManifest } from './image-manifest.ts'
import { bootFiles } from './kernel.ts'
import { asRoot } from './namespace.ts'
import { debian } from './recipes/debian.ts'
import type { Recipe, Variant } from './recipes/recipe.ts'
import { fetchPackages, installPackages } from './rootfs.ts'
import { removeStaleBuilds } from './stale-builds.ts'
import type { Additions } from './user-recipe.ts'

export type ImageOptions = {
  variant: Variant
  /** What a person adds to it, under a name of their own. */
  additions?: Additions | undefined
  /** Where images live, one folder each. */
  images: string
  /** Where downloaded packages are kept between builds. */
  cache: string
  qemuImg: string
  onProgress: OnProgress
  signal?: AbortSignal | undefined
}

const GUEST = path.join(import.meta.dirname, 'guest')
const FINISH = path.join(GUEST, 'finish.sh')
const FILES = { disk: 'disk.qcow2', kernel: 'vmlinuz', initrd: 'initrd.img', setup: 'setup.sh' } as const

/**
 * The image of this variant, with a person's additions if there are any, built if it is not there. The folder's name holds the key of everything that decides its
 * contents, so a changed recipe gives a new image beside the old one. Safe to repeat, to interrupt, and to run twice at
 * once: a build appears under its name in one rename.
 */
export async function ensureImage(options: ImageOptions): Promise<GuestImage> {
  const { images, additions } = options
  const name = additions?.name ?? options.variant
  const order: Order = {
    name,
    recipe: additions?.recipe ?? debian[options.variant],
    files: mergeFiles(await guestFiles(path.join(GUEST, 'rootfs')), additions?.files ?? []),
    setup: additions?.setup ?? null,
  }
  const key = await imageKey(order.recipe, order.files, [FINISH], order.setup)
  const folder = path.join(images, `${name}-${key.slice(0, 12)}`)
  const present = await openImage(folder)
  if (present?.key === key) return present

  await mkdir(images, { recursive: true })
  await removeStaleBuilds(images)
  const scratch = path.join(images, `.build-${name}-${process.pid}`)
  await mkdir(scratch)
  try {
    const finished = await build(options, order, key, scratch)
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

type Order = { name: string; recipe: Recipe; files: GuestFile[]; setup: string | null }

async function build(options: ImageOptions, order: Order, key: string, scratch: string): Promise<string> {
  const { cache, qemuImg, onProgress, signal } = options
  const { name: variant, recipe, files, setup } = order
  const prefix = await asRoot()
  const at = (name: string) => path.join(scratch, name)
  const packages = await fetchPackages(recipe, { cache, onProgress, signal })
  await installPackages(recipe, packages, { scratch, root: at('root'), asRoot: prefix, onProgress, signal })

  onProgress({ step: 'Taking the kernel apart', done: 0, total: -1 })
  const boot = await bootFiles(recipe, packages, at('boot'), signal)
  await writeGuestTree(at('tree'), { recipe, apt: packages.apt, boot, files })
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
  await compressDisk({
    qemuImg,
    from: at('disk.raw'),
    format: 'raw',
    into: path.join(out, FILES.disk),
    onProgress,
    signal,
  })
  await copyFile(boot.kernel, path.join(out, FILES.kernel))
  await writeFile(path.join(out, FILES.initrd), boot.initrd)
  if (setup !== null) await writeFile(path.join(out, FILES.setup), setup)
  const output = (file: string) => describeOutput(out, file)
  const manifest: BuiltManifest = {
    format: 1,
    variant,
    key,
    kernelRelease: boot.release,
    screen: { width: 1280, height: 800 },
    diskBytes: recipe.diskBytes,
    commandLine: recipe.commandLine.join(' '),
    outputs: {
      disk: await output(FILES.disk),
      kernel: await output(FILES.kernel),
      initrd: await output(FILES.initrd),
      ...(setup === null ? {} : { setup: await output(FILES.setup) }),
    },
    packages: [...packages.guest, packages.kernel]
      .map(({ name, version, architecture, sha256 }) => ({ name, version, architecture, sha256 }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
  await writeFile(path.join(out, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
  return out
}
