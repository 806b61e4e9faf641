import { Gauge, History, LibraryBig, ListChecks, Monitor, Settings, Stethoscope } from 'lucide-react'
import { navigate } from '../route/navigation.ts'
import type { Route } from '../route/route.ts'
import { commandsText as words } from '../text/commands.ts'
import type { Command } from './command.ts'

/** A screen a person can go to: in the bar at the side, in the palette, and by its keys. */
export type Place = Command & { icon: NonNullable<Command['icon']>; to: Route; screens: readonly Route['screen'][] }

const place = (
  screen: 'home' | 'time' | 'library' | 'machines' | 'benchmarks' | 'settings' | 'doctor',
  rest: Pick<Place, 'icon' | 'to'> & { shortcut: string; also?: readonly Route['screen'][] },
): Place => ({
  id: `go.${screen}`,
  group: 'go',
  ...words[screen],
  icon: rest.icon,
  shortcut: rest.shortcut,
  to: rest.to,
  screens: [screen, ...(rest.also ?? [])],
  perform: () => navigate(rest.to),
})

export const places: readonly Place[] = [
  place('home', { icon: ListChecks, shortcut: 'g t', to: { screen: 'home' }, also: ['task', 'welcome'] }),
  place('time', { icon: History, shortcut: 'g i', to: { screen: 'time', taskId: null, snapshotId: null } }),
  place('library', { icon: LibraryBig, shortcut: 'g l', to: { screen: 'library' }, also: ['compare'] }),
  place('machines', { icon: Monitor, shortcut: 'g m', to: { screen: 'machines' }, also: ['machine'] }),
  place('benchmarks', { icon: Gauge, shortcut: 'g b', to: { screen: 'benchmarks', run: null } }),
  place('settings', { icon: Settings, shortcut: 'g s', to: { screen: 'settings', section: 'models' } }),
  place('doctor', { icon: Stethoscope, shortcut: 'g d', to: { screen: 'doctor' } }),
]
