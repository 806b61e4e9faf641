import { z } from 'zod'
import { ErrorInfo } from './errors.ts'
import { Progress } from './progress.ts'

/** A guest image on this host. Machines use the newest of a name. */
export const Image = z.object({
  id: z.string(), // unique: name and the beginning of the key
  name: z.string(),
  origin: z.enum(['ours', 'extended', 'imported']), // a recipe of ours, one with a person's additions, or brought whole
  exec: z.boolean(), // false: used by screen and input alone
  key: z.string(), // hash of everything it was made of
  bytes: z.number().int(),
  diskSha256: z.string(),
  packages: z.number().int(),
  builtAt: z.string(),
})
export type Image = z.infer<typeof Image>

/** From packages: one of ours, or a person's additions to one of ours, which lie in a folder on this host. */
export const BuildImage = z.union([
  z.object({ variant: z.enum(['desktop', 'minimal']) }),
  z.object({ recipe: z.string().min(1) }), // a folder with recipe.json, and files/ and setup.sh if wanted
])
export type BuildImage = z.infer<typeof BuildImage>

/** A qcow2, a raw disk or an ISO of any system that shows a screen. */
export const ImportImage = z.object({
  file: z.string().min(1),
  name: z.string().min(1).max(40),
  medium: z.enum(['disk', 'cdrom']).optional(), // left out: by the file's own look
  diskGb: z.number().int().min(1).max(1024).default(16), // of the empty disk beside an installation medium
  restSeconds: z.number().min(0.5).max(120).default(15), // its screen stands still so long when it has started
  sshUser: z.string().min(1).max(32).optional(), // it runs SSH and lets this install's key in as this user
})
export type ImportImage = z.infer<typeof ImportImage>

/** Something of minutes that is being made: an image, or the pre-booted desktop of one. */
export const ImageWork = z.object({
  id: z.string(),
  what: z.enum(['build', 'import', 'template']),
  name: z.string(),
  progress: Progress,
  state: z.enum(['running', 'done', 'failed']),
  error: ErrorInfo.optional(),
})
export type ImageWork = z.infer<typeof ImageWork>
