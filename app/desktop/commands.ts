import { Download, FolderOpen, ListChecks, type LucideIcon, SquareTerminal } from 'lucide-react'
import type { Command } from '../commands/command.ts'
import { navigate } from '../route/navigation.ts'
import type { Panel, Route } from '../route/route.ts'
import { isOver } from '../state/world.ts'
import { stageText } from '../text/stage.ts'

const words = stageText.commands

type BesideDesktop = Extract<Route, { screen: 'task' | 'machine' }>

const placeOf = (route: Route): BesideDesktop | null =>
  route.screen === 'task' || route.screen === 'machine' ? route : null

/** What lies beside the desktop that is open, a task's or a machine's. */
const beside = (panel: Panel | undefined, icon: LucideIcon): Command => ({
  id: `desktop.${panel ?? 'only'}`,
  group: 'here',
  ...words[panel ?? 'steps'],
  icon,
  predicate: ({ route }) => {
    const place = placeOf(route)
    return place !== null && place.panel !== panel
  },
  perform: ({ route }) => {
    const { panel: _, ...place } = placeOf(route) ?? {}
    if ('screen' in place) navigate({ ...place, ...(panel && { panel }) }, { replace: true })
  },
})

export const desktopCommands: readonly Command[] = [
  beside('terminal', SquareTerminal),
  beside('files', FolderOpen),
  beside(undefined, ListChecks),
  {
    id: 'task.export',
    group: 'here',
    ...words.export,
    icon: Download,
    predicate: ({ route, world }) => {
      const task = route.screen === 'task' ? world.tasks[route.taskId] : undefined
      return task !== undefined && isOver(task)
    },
    perform: ({ route }) => {
      if (route.screen === 'task') window.location.assign(`/traces/${route.taskId}/bundle`)
    },
  },
]
