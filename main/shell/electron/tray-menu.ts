import type { MenuItemConstructorOptions } from 'electron'
import { words } from './words.ts'
import type { Work } from './work.ts'

export type TrayActions = { open(): void; stop(taskIds: string[]): void; quit(): void }

/** So many tasks are named one by one; the rest is stopped together. */
const NAMED = 5

/** What is going on, in one line. */
export function trayText({ tasks, machines }: Work): string {
  const waiting = [...tasks.values()].filter(({ waitingFor }) => waitingFor).length
  const parts = [
    waiting > 0 && words.tray.needsYou(waiting),
    tasks.size > waiting && words.tray.working(tasks.size - waiting),
    machines.size > 0 && words.tray.machines(machines.size),
  ].filter((part) => part !== false)
  return parts.length > 0 ? parts.join(', ') : words.tray.idle
}

export function trayTemplate(work: Work, actions: TrayActions): MenuItemConstructorOptions[] {
  const tasks = [...work.tasks.values()]
  const stops = tasks.slice(0, NAMED).map(({ id, goal }): MenuItemConstructorOptions => {
    return { label: words.tray.stop(goal), click: () => actions.stop([id]) }
  })
  if (tasks.length > 1) stops.push({ label: words.tray.stopAll, click: () => actions.stop(tasks.map(({ id }) => id)) })
  return [
    { label: trayText(work), enabled: false },
    { label: words.tray.open, click: () => actions.open() },
    ...(stops.length > 0 ? [{ type: 'separator' } as const, ...stops] : []),
    { type: 'separator' },
    { label: words.menu.quit, click: () => actions.quit() },
  ]
}
