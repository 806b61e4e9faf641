import { desktopCommands } from '../desktop/commands.ts'
import { traceCommands } from '../library/commands.ts'
import type { Command } from './command.ts'
import { doingCommands, helpCommands } from './doing.ts'
import { places } from './go.ts'
import { hereCommands } from './here.ts'
import { lookCommands } from './look.ts'

/** Everything that can be done by name or by key. What the open screen offers comes first. */
export const commands: readonly Command[] = [
  ...hereCommands,
  ...desktopCommands,
  ...traceCommands,
  ...doingCommands,
  ...places,
  ...lookCommands,
  ...helpCommands,
]

export const commandById = (id: string): Command | undefined => commands.find((command) => command.id === id)
