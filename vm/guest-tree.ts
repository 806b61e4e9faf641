import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Apt } from './apt.ts'
import type { GuestFile } from './image-key.ts'
import type { BootFiles } from './kernel.ts'
import { moduleIndex } from './kernel-modules.ts'
import type { Recipe, Service } from './recipes/recipe.ts'

type GuestTree = { recipe: Recipe; apt: Pick<Apt, 'sources'>; boot: BootFiles; files: GuestFile[] }

/** Everything that is copied over the installed packages: the guest's own files and what follows from the recipe. */
export async function writeGuestTree(folder: string, { recipe, apt, boot, files }: GuestTree): Promise<void> {
  const write = async (name: string, content: string | Buffer, executable = false) => {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true, mode: 0o755 })
    await writeFile(file, content, { mode: executable ? 0o755 : 0o644 })
  }
  for (const each of files) {
    if ('file' in each) await write(each.path, await readFile(each.file), each.executable)
    else {
      await mkdir(path.dirname(path.join(folder, each.path)), { recursive: true, mode: 0o755 })
      await symlink(each.target, path.join(folder, each.path))
    }
  }
  await write('etc/inittab', inittab(recipe.services))
  await write('etc/godhand/modules', lines(recipe.modules.boot))
  await write('etc/apt/sources.list', lines(apt.sources.map((source) => source.replace(/\[[^\]]*\] /, ''))))
  const modules = path.join('usr/lib/modules', boot.release)
  for (const { name, data } of boot.modules) await write(path.join(modules, `${name}.ko`), data)
  const { dep, alias } = moduleIndex(boot.modules)
  await write(path.join(modules, 'modules.dep'), dep)
  await write(path.join(modules, 'modules.alias'), alias)
}

/** For busybox init, which knows no runlevels. */
export function inittab(services: Service[]): string {
  return lines([
    '::sysinit:/usr/lib/godhand/boot',
    ...services.map(({ command }) => `::respawn:${command}`),
    '::ctrlaltdel:/sbin/poweroff',
    '::shutdown:/usr/lib/godhand/shutdown',
  ])
}

function lines(items: string[]): string {
  return items.map((item) => `${item}\n`).join('')
}
