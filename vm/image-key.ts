import { createHash } from 'node:crypto'
import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Recipe } from './recipes/recipe.ts'

/** Raised when the builder makes other bytes from the same recipe. */
export const BUILDER_VERSION = 1

export type GuestFile = { path: string; executable: boolean } & ({ file: string } | { target: string })

/** The guest's own files, sorted. Only "executable or not" is kept of their modes: that is what a checkout keeps too. */
export async function guestFiles(folder: string): Promise<GuestFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = await Promise.all(
    entries.map(async (entry): Promise<GuestFile[]> => {
      const file = path.join(entry.parentPath, entry.name)
      const name = path.relative(folder, file).split(path.sep).join('/')
      if (entry.isSymbolicLink()) return [{ path: name, executable: false, target: await readlink(file) }]
      if (!entry.isFile()) return []
      return [{ path: name, executable: ((await stat(file)).mode & 0o100) !== 0, file }]
    }),
  )
  return files.flat().toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** Names an image by everything that decides what is in it, but the versions of packages, which the manifest records. */
export async function imageKey(
  recipe: Recipe,
  files: GuestFile[],
  scripts: string[],
  setup: string | null = null,
): Promise<string> {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([BUILDER_VERSION, recipe]))
  for (const each of files) {
    const content = 'file' in each ? await readFile(each.file) : each.target
    hash
      .update(JSON.stringify([each.path, each.executable, 'file' in each, Buffer.byteLength(content)]))
      .update(content)
  }
  for (const script of scripts) hash.update(await readFile(script))
  if (setup !== null) hash.update(JSON.stringify(['setup', setup]))
  return hash.digest('hex')
}

/** A person's files take the place of ours where both have the same path. */
export function mergeFiles(ours: GuestFile[], theirs: GuestFile[]): GuestFile[] {
  const replaced = new Set(theirs.map((each) => each.path))
  return [...ours.filter((each) => !replaced.has(each.path)), ...theirs].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
