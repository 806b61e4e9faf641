import { Moon, Sun, SunMoon } from 'lucide-react'
import { chooseTheme, type Theme, useTheme } from '../state/theme.ts'
import { commandsText as words } from '../text/commands.ts'
import type { Command } from './command.ts'

const icons = { light: Sun, dark: Moon, system: SunMoon }

const theme = (name: Theme): Command => ({
  id: `theme.${name}`,
  group: 'look',
  ...words[name],
  icon: icons[name],
  predicate: () => useTheme.getState().theme !== name,
  perform: () => chooseTheme(name),
})

export const lookCommands: readonly Command[] = [theme('light'), theme('dark'), theme('system')]
