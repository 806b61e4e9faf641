import type { MenuItemConstructorOptions } from 'electron'
import { words } from './words.ts'

export type MenuActions = {
  go(path: string): void
  openTrace(): void
  showLogs(): void
  aboutUpdates(): void
  suspendInBackground(on: boolean): void
}

const places = [
  ['/', words.menu.places.tasks],
  ['/time', words.menu.places.time],
  ['/library', words.menu.places.library],
  ['/machines', words.menu.places.machines],
  ['/settings', words.menu.places.settings],
] as const

/** The menu as data. Shortcuts the page has itself are not repeated here: the page hears them first. */
export function menuTemplate(
  platform: NodeJS.Platform,
  state: { suspendInBackground: boolean },
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin'
  const file: MenuItemConstructorOptions[] = [
    { label: words.menu.newTask, accelerator: 'CmdOrCtrl+N', click: () => actions.go('/') },
    { label: words.menu.openTrace, accelerator: 'CmdOrCtrl+O', click: () => actions.openTrace() },
    { type: 'separator' },
    {
      label: words.menu.suspend,
      type: 'checkbox',
      checked: state.suspendInBackground,
      click: ({ checked }) => actions.suspendInBackground(checked),
    },
    { type: 'separator' },
    mac ? { role: 'close' } : { role: 'quit', label: words.menu.quit },
  ]
  const go = places.map(([path, label], index): MenuItemConstructorOptions => {
    return { label, accelerator: `CmdOrCtrl+${index + 1}`, click: () => actions.go(path) }
  })
  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    { label: words.menu.file, submenu: file },
    { label: words.menu.edit, role: 'editMenu' },
    {
      label: words.menu.view,
      submenu: [
        { role: 'reload' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
      ],
    },
    { label: words.menu.go, submenu: go },
    { label: words.menu.window, role: 'windowMenu' },
    {
      label: words.menu.help,
      role: 'help',
      submenu: [
        { label: words.menu.diagnostics, click: () => actions.go('/diagnostics') },
        { label: words.menu.logs, click: () => actions.showLogs() },
        { label: words.menu.updates, click: () => actions.aboutUpdates() },
      ],
    },
  ]
}
