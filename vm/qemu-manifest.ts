import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { sha256OfFile } from './apt.ts'

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

export const BundledFile = z.object({ path: z.string(), sha256: Sha256, size: z.number(), executable: z.boolean() })
export type BundledFile = z.infer<typeof BundledFile>

/** What is in a QEMU bundle and where it came from: manifest.json at its top. */
export const QemuManifest = z.object({
  /** Of the recipe it was made by; another recipe makes another bundle. */
  recipe: Sha256,
  qemuVersion: z.string(),
  packages: z.array(z.object({ name: z.string(), version: z.string(), sha256: Sha256 })),
  files: z.array(BundledFile),
  /** Of the content alone, so that copies of a bundle share it; RAM snapshots are keyed by it. */
  key: Sha256,
})
export type QemuManifest = z.infer<typeof QemuManifest>

export const MANIFEST = 'manifest.json'

export function contentKey(files: BundledFile[]): string {
  const lines = files.map((file) => `${file.path}\0${file.sha256}\0${file.executable ? 'x' : '-'}\n`)
  return sha256(lines.sort().join(''))
}

export function recipeKey(recipe: unknown): string {
  return sha256(JSON.stringify(recipe))
}

/** Every file below the folder, with its checksum, in the order of their paths. */
export async function listFiles(folder: string): Promise<BundledFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files: BundledFile[] = []
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = path.join(entry.parentPath, entry.name)
    const { size, mode } = await stat(file)
    const name = path.relative(folder, file).split(path.sep).join('/')
    files.push({ path: name, sha256: await sha256OfFile(file), size, executable: (mode & 0o100) !== 0 })
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * The manifest of the bundle in the folder, or nothing if it is absent, made by another recipe, or a file of it is
 * missing or has another size. Reads no file's content, so that every start can afford it.
 */
export async function intactManifest(folder: string, recipe: string): Promise<QemuManifest | undefined> {
  const text = await readFile(path.join(folder, MANIFEST), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const parsed = QemuManifest.safeParse(parseJson(text))
  if (!parsed.success || parsed.data.recipe !== recipe) return undefined
  const sound = await Promise.all(
    parsed.data.files.map(async (file) => {
      const found = await stat(path.join(folder, file.path)).catch(() => undefined)
      return found?.isFile() && found.size === file.size && (!file.executable || (found.mode & 0o100) !== 0)
    }),
  )
  return sound.every(Boolean) ? parsed.data : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
