import { z } from 'zod'

const Output = z.object({ file: z.string(), bytes: z.number().int().positive(), sha256: z.string().length(64) })

/** What an image was made of. Holds no time and no path, so that two builds of the same things have the same manifest. */
export const ImageManifest = z.object({
  format: z.literal(1),
  variant: z.enum(['desktop', 'minimal']),
  key: z.string().length(64),
  kernelRelease: z.string(),
  screen: z.object({ width: z.number(), height: z.number() }),
  diskBytes: z.number(),
  commandLine: z.string(),
  outputs: z.object({ disk: Output, kernel: Output, initrd: Output }),
  packages: z.array(
    z.object({ name: z.string(), version: z.string(), architecture: z.string(), sha256: z.string().length(64) }),
  ),
})
export type ImageManifest = z.infer<typeof ImageManifest>
