import { z } from 'zod'
import { Snapshot } from './machine.ts'

export const SnapshotUse = z.object({
  snapshot: Snapshot,
  ownBytes: z.number().int(), // what removing it frees
  sharedBytes: z.number().int(), // of the snapshots it stands on
  removable: z.boolean(),
})
export type SnapshotUse = z.infer<typeof SnapshotUse>

export const Collected = z.object({
  beforeBytes: z.number().int(),
  afterBytes: z.number().int(),
  budgetBytes: z.number().int(),
  removed: z.array(z.string()),
  needsConsent: z.array(z.string()), // named by the person: removing them would help, but is theirs to say
})
export type Collected = z.infer<typeof Collected>
