import { lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import type { Paths } from '../../paths.ts'

/**
 * An installed app brings QEMU and images along, in a folder nobody may write to and which may lie elsewhere at each
 * start (an AppImage is mounted anew). QEMU is used from there; images appear in the data folder as links, beside the
 * ones the person made, so that machines and snapshots know them by a name that stays.
 */
export function withBundledAssets(paths: Paths, resources: string): Paths {
  const bundled = (part: string) => path.join(resources, 'assets', part)
  mkdirSync(paths.images, { recursive: true })
  for (const name of namesIn(paths.images)) {
    const link = path.join(paths.images, name)
    // Also one that an earlier version brought and this one does not: what it points at is gone.
    if (lstatSync(link).isSymbolicLink() && isBundle(readlinkSync(link))) rmSync(link)
  }
  for (const name of namesIn(bundled('images'))) {
    const link = path.join(paths.images, name)
    if (!namesIn(paths.images).includes(name)) symlinkSync(path.join(bundled('images'), name), link, 'junction')
  }
  return namesIn(bundled('qemu')).length > 0 ? { ...paths, qemu: bundled('qemu') } : paths
}

const isBundle = (target: string) => path.basename(path.dirname(path.dirname(target))) === 'assets'

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
