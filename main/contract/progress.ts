import { z } from 'zod'

/** One report of a long piece of work. `total` < 0 means nobody can say how much there is. */
export const Progress = z.object({
  step: z.string(), // what is being done, in words for the person: "Unpacking packages"
  done: z.number(),
  total: z.number(),
  detail: z.string().optional(), // the item at hand: a package name, a file
})
export type Progress = z.infer<typeof Progress>

export type OnProgress = (progress: Progress) => void
