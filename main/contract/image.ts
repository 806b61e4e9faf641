import { z } from 'zod'

/** A guest image on this host. Machines use the newest of a name. */
export const Image = z.object({
  id: z.string(), // unique: name and the beginning of the key
  name: z.string(),
  key: z.string(), // hash of everything it was made of
  bytes: z.number().int(),
  diskSha256: z.string(),
  packages: z.number().int(),
  builtAt: z.string(),
})
export type Image = z.infer<typeof Image>
