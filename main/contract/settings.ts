import { z } from 'zod'
import { AllowedHosts } from './machine.ts'
import { Approval } from './task.ts'

export const MachineSize = z.object({
  memoryMb: z.number().int().min(512).max(65_536),
  cpus: z.number().int().min(1).max(16),
})
export type MachineSize = z.infer<typeof MachineSize>

/** What a person chose for everything to come. Kept by the engine, so that the app and the command line agree. */
export const Settings = z.object({
  machine: MachineSize.nullable().default(null), // null: as fits this computer
  allow: AllowedHosts, // what the app offers to a new task; the command line names its own
  approval: Approval.nullable().default(null), // of models; null: risky things
})
export type Settings = z.infer<typeof Settings>

export const SettingsInForce = z.object({
  settings: Settings,
  usualMachine: MachineSize, // what fits this computer
  snapshotFolder: z.string(),
})
export type SettingsInForce = z.infer<typeof SettingsInForce>
