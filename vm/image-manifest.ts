import { z } from 'zod'

const Output = z.object({ file: z.string(), bytes: z.number().int().positive(), sha256: z.string().length(64) })

/** What machines are asked for by: lower case, so that it is a folder's name everywhere. */
export const ImageName = z
  .string()
  .regex(/^[a-z0-9](-?[a-z0-9]){0,39}$/, 'use lower case letters, digits and single hyphens, 40 at the most')

/** Made from packages by a recipe of ours, perhaps with a person's additions. */
const Built = z.object({
  format: z.literal(1),
  variant: ImageName,
  key: z.string().length(64),
  kernelRelease: z.string(),
  screen: z.object({ width: z.number(), height: z.number() }),
  diskBytes: z.number(),
  commandLine: z.string(),
  outputs: z.object({
    disk: Output,
    kernel: Output,
    initrd: Output,
    setup: Output.optional(), // run once in the running desktop, before it is kept as a template
  }),
  packages: z.array(
    z.object({ name: z.string(), version: z.string(), architecture: z.string(), sha256: z.string().length(64) }),
  ),
})

/** Brought by a person: a disk or an installation medium of any system that shows a screen. */
const Imported = z.object({
  format: z.literal('imported'),
  variant: ImageName,
  key: z.string().length(64),
  source: z.object({ name: z.string(), sha256: z.string().length(64) }),
  diskBytes: z.number(), // as the guest sees it
  /** How long its screen must stand still before the machine counts as started. */
  restSeconds: z.number().positive(),
  /** Whom to be for commands and files; null: the system has no way in, and is used by screen and input alone. */
  sshUser: z.string().nullable(),
  outputs: z.object({ disk: Output, cdrom: Output.optional() }),
})

/** What an image was made of. Holds no time and no path, so that two builds of the same things have the same manifest. */
export const ImageManifest = z.discriminatedUnion('format', [Built, Imported])
export type ImageManifest = z.infer<typeof ImageManifest>
export type BuiltManifest = z.infer<typeof Built>
export type ImportedManifest = z.infer<typeof Imported>
