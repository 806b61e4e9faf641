import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { GodHandError } from '../main/contract/errors.ts'
import { type GuestFile, guestFiles } from './image-key.ts'
import { ImageName } from './image-manifest.ts'
import { debian } from './recipes/debian.ts'
import type { Recipe } from './recipes/recipe.ts'

/**
 * What a person adds to one of our recipes, as a folder:
 *
 *   recipe.json   {"name": "office", "base": "desktop", "packages": ["gnumeric"]}
 *   files/        copied over the guest's root: files/home/user/Documents/plan.txt, files/etc/…
 *   setup.sh      run once as `user` in the running desktop (sudo works, the network does not), then kept with it
 */
export const UserRecipe = z.strictObject({
  name: ImageName.refine((name) => !isOurs(name), 'this name is taken by an image of ours'),
  base: z.enum(['desktop', 'minimal']).default('desktop'),
  /** Names of packages of the base's distribution, installed with what they depend on. */
  packages: z.array(z.string().regex(/^[a-z0-9][a-z0-9+.-]+$/, 'not the name of a package')).default([]),
  /** The size of the guest's disk, where the usual one is too small. */
  diskGb: z.number().int().min(4).max(1024).optional(),
})

export type Additions = { name: string; recipe: Recipe; files: GuestFile[]; setup: string | null }

const GB = 1024 ** 3

export const isOurs = (name: string) => Object.hasOwn(debian, name)

export async function readUserRecipe(folder: string): Promise<Additions> {
  const file = path.join(folder, 'recipe.json')
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new GodHandError('not_found', `There is no recipe.json in ${folder}.`, {
      cause,
      hint: 'Write one: {"name": "office", "base": "desktop", "packages": ["gnumeric"]}',
    })
  })
  const parsed = UserRecipe.safeParse(parseJson(text, file))
  if (!parsed.success) throw new GodHandError('bad_request', `${file}: ${z.prettifyError(parsed.error)}`)
  const { name, base, packages, diskGb } = parsed.data
  const usual = debian[base]
  const recipe = {
    ...usual,
    packages: [...new Set([...usual.packages, ...packages])],
    diskBytes: diskGb === undefined ? usual.diskBytes : diskGb * GB,
  }
  const files = await guestFiles(path.join(folder, 'files')).catch(() => [])
  const setup = path.join(folder, 'setup.sh')
  const hasSetup = await stat(setup)
    .then((found) => found.isFile())
    .catch(() => false)
  return { name, recipe, files, setup: hasSetup ? await readFile(setup, 'utf8') : null }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new GodHandError('bad_request', `${file} is not JSON.`, { cause })
  }
}
