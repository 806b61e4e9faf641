import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { unpackDeb } from './apt.ts'
import { buildFailed } from './build-failure.ts'
import { initramfs } from './initramfs.ts'
import { type KernelModule, moduleTree } from './kernel-modules.ts'
import type { Recipe } from './recipes/recipe.ts'
import type { PackageSet } from './rootfs.ts'

export type BootFiles = { kernel: string; release: string; initrd: Buffer; modules: KernelModule[] }

/** Takes from the kernel's package the image and the few modules of the recipe, some of them into the initramfs. */
export async function bootFiles(
  recipe: Recipe,
  packages: PackageSet,
  scratch: string,
  signal?: AbortSignal,
): Promise<BootFiles> {
  const unpacked = path.join(scratch, 'kernel')
  const tools = path.join(scratch, 'busybox')
  const busyboxDeb = packages.guest.find(({ name }) => name === recipe.busybox.package)
  if (busyboxDeb === undefined) throw buildFailed(`The guest has no package ${recipe.busybox.package}.`)
  await unpackDeb(packages.kernel.file, unpacked, signal)
  await unpackDeb(busyboxDeb.file, tools, signal)
  const image = (await readdir(path.join(unpacked, 'boot'))).find((name) => name.startsWith('vmlinuz-'))
  if (image === undefined) throw buildFailed('The kernel package holds no kernel.')

  const release = image.slice('vmlinuz-'.length)
  const busybox = path.join(tools, recipe.busybox.file)
  const tree = await moduleTree(path.join(unpacked, 'usr/lib/modules', release), busybox)
  const { modules } = recipe
  return {
    kernel: path.join(unpacked, 'boot', image),
    release,
    initrd: await initramfs(await readFile(busybox), await tree.load(modules.initramfs)),
    modules: await tree.load([...modules.initramfs, ...modules.boot, ...modules.available]),
  }
}
