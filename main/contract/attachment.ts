import { z } from 'zod'

/** A file of the person's, handed to the engine for tasks to come. */
export const Attachment = z.object({
  id: z.string().regex(/^file_[a-z0-9]+$/),
  name: z.string(), // as it will be called in the guest
  bytes: z.number().int().nonnegative(),
})
export type Attachment = z.infer<typeof Attachment>

/** Where they land in the guest. */
export const ATTACHED_FOLDER = '/home/user/Attached'
export const MOST_ATTACHED = 20
export const LARGEST_ATTACHED = 64 * 1024 * 1024

/** Ids of files handed over before. */
export const Attached = z.array(Attachment.shape.id).max(MOST_ATTACHED).default([])
