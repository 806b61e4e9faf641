import { app, dialog, Menu, safeStorage, session, shell } from 'electron'
import packageJson from '../../../package.json' with { type: 'json' }
import { GodHandError } from '../../contract/errors.ts'
import type { Paths } from '../../paths.ts'
import { Background } from './background.ts'
import { parseDeepLink, pathOfLink } from './deep-link.ts'
import { type EngineDoor, openDoor, type Serving } from './engine-door.ts'
import { type Kept, readKept, writeKept } from './kept.ts'
import type { Wish } from './launch-arguments.ts'
import { menuTemplate } from './menu.ts'
import { type QuitAnswer, quitAnswer, quitQuestion } from './quit.ts'
import { systemSealer } from './sealer.ts'
import { openTraceFile } from './trace-file.ts'
import { type AppTray, openTray } from './tray.ts'
import { type WorkWatch, watchWork } from './watch-work.ts'
import { type AppWindow, openWindow } from './window.ts'
import { words } from './words.ts'

/** What the page may ask the system for; everything else is refused. */
const PERMISSIONS = new Set(['fullscreen', 'clipboard-sanitized-write', 'clipboard-read', 'notifications'])

/** The app as the desktop knows it: one engine, one window at a time, a menu and a tray. */
export class Desktop {
  readonly #paths: Paths
  readonly #door: EngineDoor
  readonly #work: WorkWatch
  readonly #background: Background
  readonly #tray: AppTray
  #kept: Kept
  #window: AppWindow | null = null
  #leaving = false

  private constructor(paths: Paths, door: EngineDoor) {
    this.#paths = paths
    this.#door = door
    this.#kept = readKept(paths.window)
    this.#tray = openTray({
      open: () => this.show(),
      stop: (ids) => {
        for (const taskId of ids) this.#work.client.call('task.stop', { taskId }).catch(() => {}) // it ended by itself
      },
      quit: () => app.quit(),
    })
    this.#work = watchWork(door, (work) => this.#tray.show(work))
    this.#tray.show(this.#work.now())
    this.#background = new Background(this.#work.client)
  }

  static async open(paths: Paths, serving: Serving): Promise<Desktop> {
    session.defaultSession.setPermissionRequestHandler((_page, permission, allow) => allow(PERMISSIONS.has(permission)))
    session.defaultSession.setPermissionCheckHandler((_page, permission) => PERMISSIONS.has(permission))
    const sealer = systemSealer(safeStorage, process.platform)
    const desktop = new Desktop(paths, await openDoor(paths, { sealer, ...serving }))
    desktop.#setMenu()
    await desktop.#openWindow()
    return desktop
  }

  /** Settles when our own engine is gone, whoever ended it; another's may come and go. */
  get ended(): Promise<void> {
    return this.#door.own?.ended ?? new Promise(() => {})
  }

  /** Brings the window back, or opens a new one. */
  show(): void {
    if (!this.#window) return void this.#openWindow().catch(report(words.cannotStart))
    const { window } = this.#window
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }

  /** A link that was followed or a trace that was opened. Neither does anything but show itself. */
  async follow(wish: Wish): Promise<void> {
    if (wish.kind === 'link') {
      const link = parseDeepLink(wish.link)
      if (link) await this.#go(pathOfLink(link))
      else dialog.showErrorBox(words.link.title, words.link.unknown)
      return
    }
    const path = await openTraceFile(this.#work.client, wish.file).catch(report(words.trace.title))
    if (path) await this.#go(path)
  }

  /** Asks first when something would be lost. */
  async mayQuit(): Promise<QuitAnswer> {
    const question = quitQuestion(this.#work.now(), this.#door.own !== null)
    const answer = question ? quitAnswer((await dialog.showMessageBox(question)).response) : 'quit'
    if (answer === 'background') this.#window?.window.hide()
    return answer
  }

  /** Machines are ended before the process is. */
  async leave(reason: string): Promise<void> {
    this.#leaving = true
    this.#work.close()
    this.#tray.remove()
    await this.#door.own?.close(reason)
  }

  async #openWindow(): Promise<void> {
    const opened = await openWindow({
      link: await this.#door.newLink(),
      last: this.#kept.place,
      onPlace: (place) => this.#keep({ place }),
    })
    this.#window = opened
    const { window } = opened
    window.on('closed', () => {
      this.#window = null
      this.#outOfSight()
    })
    window.on('close', (event) => {
      // Elsewhere than on a Mac the last window takes the app with it, so its closing is asked about like quitting.
      if (this.#leaving || process.platform === 'darwin') return
      event.preventDefault()
      app.quit()
    })
    window.on('hide', () => this.#outOfSight())
    window.on('minimize', () => this.#outOfSight())
    window.on('show', () => void this.#background.comeBack())
    window.on('restore', () => void this.#background.comeBack())
    void this.#background.comeBack()
  }

  async #go(path: string): Promise<void> {
    if (!this.#window) await this.#openWindow()
    this.show()
    this.#window?.go(path)
  }

  #outOfSight(): void {
    if (this.#kept.suspendInBackground && !this.#leaving) void this.#background.leave(this.#work.now())
  }

  #keep(part: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...part }
    writeKept(this.#paths.window, this.#kept)
  }

  #setMenu(): void {
    const template = menuTemplate(process.platform, this.#kept, {
      go: (path) => void this.#go(path).catch(report(words.cannotStart)),
      openTrace: () => void this.#chooseTrace(),
      showLogs: () => void shell.openPath(this.#paths.logs),
      aboutUpdates: () =>
        void dialog.showMessageBox({
          message: words.updates.title(packageJson.version),
          detail: words.updates.detail,
        }),
      suspendInBackground: (on) => this.#keep({ suspendInBackground: on }),
    })
    Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  }

  async #chooseTrace(): Promise<void> {
    const { filePaths } = await dialog.showOpenDialog({
      properties: ['openFile'],
      filters: [{ name: words.trace.filter, extensions: ['ghtrace'] }],
    })
    if (filePaths[0]) await this.follow({ kind: 'trace', file: filePaths[0] })
  }
}

/** Tells the person what went wrong, in the words of the error. */
export function report(title: string): (thrown: unknown) => undefined {
  return (thrown) => {
    const error = GodHandError.from(thrown)
    dialog.showErrorBox(title, [error.message, error.hint].filter(Boolean).join('\n\n'))
  }
}
