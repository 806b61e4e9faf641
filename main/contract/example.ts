import { z } from 'zod'
import { Script } from './task.ts'

/** A task anyone can run: a script with checks, needing neither a model nor the network. */
export const Example = z.object({
  id: z.string(),
  title: z.string(),
  detail: z.string(), // one sentence: what there is to see
  branches: z.boolean(), // several ways are tried at once
  script: Script,
})
export type Example = z.infer<typeof Example>
