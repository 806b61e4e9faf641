import { BrowserWindow, screen, shell } from 'electron'
import { placeWindow, SMALLEST, type WindowPlace } from './window-place.ts'

export type AppWindow = {
  readonly window: BrowserWindow
  /** Goes to an address inside the app. */
  go(path: string): void
}

type WindowOptions = { link: string; last: WindowPlace | null; onPlace: (place: WindowPlace) => void }

/**
 * The page at the same address as a browser would open it, by a one-time link, so that it never knows the difference
 * and nothing has to be bridged into it.
 */
export async function openWindow({ link, last, onPlace }: WindowOptions): Promise<AppWindow> {
  const { origin } = new URL(link)
  const main = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id)
  const { bounds, maximized } = placeWindow(
    last,
    [main, ...others].map(({ workArea }) => workArea),
  )
  const window = new BrowserWindow({
    ...bounds,
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    show: false,
    backgroundColor: '#16161d',
    webPreferences: { contextIsolation: true, nodeIntegration: false, sandbox: true, webSecurity: true },
  })
  if (maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  window.on('close', () => onPlace({ bounds: window.getNormalBounds(), maximized: window.isMaximized() }))
  stayInside(window, origin)
  await window.loadURL(link)
  return { window, go: (path) => void window.loadURL(new URL(path, origin).href) }
}

/** What leads out of the app opens in the person's browser; the window itself never leaves the engine's address. */
function stayInside({ webContents }: BrowserWindow, origin: string): void {
  webContents.setWindowOpenHandler(({ url }) => {
    if (/^https?:/.test(url)) void shell.openExternal(url)
    return { action: 'deny' }
  })
  const refuseOutside = (event: { preventDefault(): void }, url: string) => {
    if (URL.parse(url)?.origin !== origin) event.preventDefault()
  }
  webContents.on('will-navigate', refuseOutside)
  webContents.on('will-redirect', refuseOutside)
  webContents.on('will-attach-webview', (event) => event.preventDefault())
}
