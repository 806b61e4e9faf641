import { z } from 'zod'

/** What lies in a folder of the guest, for people to look through. */

export const GuestFile = z.object({
  name: z.string(),
  kind: z.enum(['file', 'folder', 'other']), // of a link: what it leads to
  bytes: z.number().int().nonnegative(),
  modifiedAt: z.string(),
})
export type GuestFile = z.infer<typeof GuestFile>

export const GuestFolder = z.object({
  path: z.string(),
  files: z.array(GuestFile),
  more: z.boolean(), // there are more than are listed
})
export type GuestFolder = z.infer<typeof GuestFolder>
