import { EventEmitter } from 'node:events'

/**
 * A stand-in for the `electron` module, for tests on hosts without its binary. It remembers what it was told and says
 * what tests make it say; it proves how our code talks to Electron, not what Electron does with it.
 */
class StandInApp extends EventEmitter {
  isPackaged = false
  isFirst = true
  quits = 0
  exitCode: number | null = null
  protocols: string[] = []
  gone = false
  requestSingleInstanceLock = () => this.isFirst
  whenReady = async () => {}
  setAsDefaultProtocolClient = (scheme: string) => this.protocols.push(scheme) > 0
  exit(code: number) {
    this.exitCode = code
  }
  /** As Electron does: everybody is asked first, then the windows close, then it is over. */
  quit() {
    this.quits += 1
    const event = preventable()
    this.emit('before-quit', event)
    if (event.prevented) return
    for (const window of [...windows]) window.close()
    this.gone = windows.length === 0
  }
}

export function preventable() {
  const event = {
    prevented: false,
    preventDefault() {
      event.prevented = true
    },
  }
  return event
}

export const windows: BrowserWindow[] = []

export class BrowserWindow extends EventEmitter {
  readonly options: Record<string, unknown>
  readonly loaded: string[] = []
  readonly webContents: EventEmitter & { setWindowOpenHandler(handler: OpenHandler): void }
  openHandler: OpenHandler = () => ({ action: 'allow' })
  visible = false
  minimized = false
  maximized = false
  bounds = { x: 40, y: 50, width: 1000, height: 700 }

  constructor(options: Record<string, unknown>) {
    super()
    this.options = options
    this.webContents = Object.assign(new EventEmitter(), {
      setWindowOpenHandler: (handler: OpenHandler) => {
        this.openHandler = handler
      },
    })
    windows.push(this)
  }
  async loadURL(url: string) {
    this.loaded.push(url)
  }
  show() {
    this.visible = true
    this.emit('show')
  }
  hide() {
    this.visible = false
    this.emit('hide')
  }
  minimize() {
    this.minimized = true
    this.emit('minimize')
  }
  restore() {
    this.minimized = false
    this.emit('restore')
  }
  focus() {}
  maximize() {
    this.maximized = true
  }
  isMinimized = () => this.minimized
  isMaximized = () => this.maximized
  getNormalBounds = () => this.bounds
  close() {
    const event = preventable()
    this.emit('close', event)
    if (event.prevented) return
    windows.splice(windows.indexOf(this), 1)
    this.emit('closed')
  }
}
type OpenHandler = (details: { url: string }) => { action: string }

export type MenuItem = { label?: string; enabled?: boolean; submenu?: MenuItem[]; click?: (item: object) => void }
export const Menu = {
  application: [] as MenuItem[],
  buildFromTemplate: (template: MenuItem[]) => template,
  setApplicationMenu: (menu: MenuItem[]) => {
    Menu.application = menu
  },
}

export const trays: Tray[] = []
export class Tray extends EventEmitter {
  readonly icon: string
  tip = ''
  menu: MenuItem[] = []
  constructor(icon: string) {
    super()
    this.icon = icon
    trays.push(this)
  }
  setToolTip(tip: string) {
    this.tip = tip
  }
  setContextMenu(menu: MenuItem[]) {
    this.menu = menu
  }
  destroy() {
    trays.splice(trays.indexOf(this), 1)
  }
}

export const dialog = {
  asked: [] as { message: string }[],
  errors: [] as string[],
  answer: 0,
  showMessageBox: async (options: { message: string }) => {
    dialog.asked.push(options)
    return { response: dialog.answer }
  },
  showErrorBox: (title: string, detail: string) => void dialog.errors.push(`${title}: ${detail}`),
  showOpenDialog: async () => ({ filePaths: [] as string[] }),
}

export const screen = {
  displays: [{ id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
  getPrimaryDisplay: () => screen.displays[0],
  getAllDisplays: () => screen.displays,
}

type Permission = (page: null, permission: string, allow: (yes: boolean) => void) => void
export const session = {
  defaultSession: {
    request: (() => {}) as Permission,
    setPermissionRequestHandler: (handler: Permission) => {
      session.defaultSession.request = handler
    },
    setPermissionCheckHandler: () => {},
  },
}

export const shell = {
  opened: [] as string[],
  openExternal: async (url: string) => void shell.opened.push(url),
  openPath: async () => '',
}

export const safeStorage = {
  isEncryptionAvailable: () => true,
  getSelectedStorageBackend: () => 'gnome_libsecret',
  encryptString: (text: string) => Buffer.from([...text].reverse().join('')),
  decryptString: (sealed: Buffer) => [...sealed.toString()].reverse().join(''),
}

export const powerMonitor = new EventEmitter()
export const app = new StandInApp()

/** As if Electron had just been started. */
export function startAnew(): void {
  app.removeAllListeners()
  powerMonitor.removeAllListeners()
  Object.assign(app, { isPackaged: false, isFirst: true, quits: 0, exitCode: null, protocols: [], gone: false })
  Object.assign(dialog, { asked: [], errors: [], answer: 0 })
  for (const list of [windows, trays, shell.opened]) list.length = 0
}
