import { chmod, link, lstat, mkdir, open, readlink, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { GodHandError } from '../main/contract/errors.ts'
import { type TarEntry, tarEntries } from './apk-tar.ts'

const UNPACKED_LIMIT = 2 ** 31

/**
 * Unpacks a package's data into `folder`. Whatever the archive says, nothing outside is written or read: links on the
 * way are followed as if `folder` were the root of everything. Owners are not kept.
 */
export async function unpackApk(data: Buffer, folder: string): Promise<void> {
  for (const entry of tarEntries(gunzipSync(data, { maxOutputLength: UNPACKED_LIMIT }))) {
    const parts = safeParts(entry.path)
    if (parts.length > 0 && !(parts[0] ?? '').startsWith('.SIGN.')) await unpackEntry(entry, parts, folder)
  }
}

async function unpackEntry(entry: TarEntry, parts: string[], root: string): Promise<void> {
  const name = parts.at(-1) ?? ''
  const file = path.join(await folderInside(root, parts.slice(0, -1)), name)
  const there = await lstat(file).catch(() => null)
  if (entry.kind === 'folder') {
    // A link in the place of a folder is how /lib became /usr/lib.
    if (!there?.isSymbolicLink()) await mkdir(file, { recursive: true })
    return
  }
  if (entry.kind === 'other') throw refused(entry.path, 'it is neither a file nor a folder nor a link')
  if (there?.isDirectory()) throw refused(entry.path, 'a folder of that name is there')
  if (there) await rm(file)
  if (entry.kind === 'symlink') return symlink(entry.target, file)
  if (entry.kind === 'hardlink') {
    const target = safeParts(entry.target)
    const source = path.join(await folderInside(root, target.slice(0, -1)), target.at(-1) ?? '')
    if (!(await lstat(source).catch(() => null))?.isFile()) throw refused(entry.path, 'it links to what is no file')
    return link(source, file)
  }
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(entry.content)
  } finally {
    await handle.close()
  }
  await chmod(file, entry.mode & 0o777)
}

/** The parts of a path that stays below where it starts. */
function safeParts(name: string): string[] {
  if (name.startsWith('/') || name.includes('\0')) throw refused(name, 'its path does not start in the package')
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw refused(name, 'its path leads upwards')
  return parts
}

/** The folder these parts lead to, made where it is missing. Links count from `root`, as they will in the guest. */
async function folderInside(root: string, parts: string[]): Promise<string> {
  const way = [...parts]
  let at: string[] = []
  for (let links = 0; way.length > 0; ) {
    const part = way.shift() ?? ''
    if (part === '..') {
      at = at.slice(0, -1)
      continue
    }
    const next = path.join(root, ...at, part)
    const there = await lstat(next).catch(() => null)
    if (there?.isSymbolicLink()) {
      if (++links > 40) throw refused(parts.join('/'), 'its links lead in a circle')
      const target = await readlink(next)
      if (target.startsWith('/')) at = []
      way.unshift(...target.split('/').filter((each) => each !== '' && each !== '.'))
      continue
    }
    if (there && !there.isDirectory()) throw refused(parts.join('/'), `${part} is no folder`)
    if (!there) await mkdir(next)
    at.push(part)
  }
  return path.join(root, ...at)
}

function refused(name: string, why: string): GodHandError {
  return new GodHandError('corrupt', `An Alpine package wants to write “${name}”: ${why}.`)
}
