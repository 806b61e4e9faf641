import path from 'node:path'
import { Menu, Tray } from 'electron'
import { appRoot } from '../app-root.ts'
import { type TrayActions, trayTemplate, trayText } from './tray-menu.ts'
import { words } from './words.ts'
import type { Work } from './work.ts'

export type AppTray = { show(work: Work): void; remove(): void }

/** macOS colours a "template" picture by itself, so that it fits a light and a dark menu bar. */
export const trayIcon = (platform: NodeJS.Platform) =>
  path.join(appRoot(), 'build', 'resources', platform === 'darwin' ? 'trayTemplate.png' : 'tray.png')

export function openTray(actions: TrayActions): AppTray {
  const tray = new Tray(trayIcon(process.platform))
  tray.on('click', () => actions.open())
  return {
    show(work) {
      tray.setToolTip(`${words.name}: ${trayText(work)}`)
      tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(work, actions)))
    },
    remove: () => tray.destroy(),
  }
}
