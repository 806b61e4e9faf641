import type { LucideIcon } from 'lucide-react'
import type { Route } from '../route/route.ts'
import type { Store } from '../state/store.ts'

/** Where the palette and the help list a command. `here` is for what the open screen offers. */
export type Group = 'here' | 'go' | 'do' | 'look' | 'help'

/** What a command may look at to know whether it makes sense. */
export type Where = { route: Route; world: Store }

/**
 * Something a person can do, said once: the palette, the shortcuts, their help and the app's menu are all made from it.
 * A screen keeps its own in `<screen>/commands.ts` and hangs them into `all.ts`.
 */
export type Command = {
  id: string // "task.pause": stays the same in every language
  group: Group
  label: string
  keywords: string // other words a person may look for it by
  icon?: LucideIcon
  /** "mod+k" (Ctrl, or Cmd on a Mac), "shift+d", "?", or one key after the other: "g t". */
  shortcut?: string
  /** Left out: always. */
  predicate?: (where: Where) => boolean
  perform: (where: Where) => unknown
}

export const isPossible = (command: Command, where: Where): boolean => command.predicate?.(where) ?? true
