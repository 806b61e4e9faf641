import { app, BrowserWindow, dialog, session, shell } from 'electron'
import { GodHandError } from '../contract/errors.ts'
import { currentPaths } from '../paths.ts'
import { findEngine } from './find-engine.ts'
import { type Served, serve } from './serve.ts'

/**
 * The window. It opens the same page at the same address as a browser would, by a one-time link, so the page never
 * knows the difference and nothing has to be bridged into it.
 */
const paths = currentPaths()
let served: Served | undefined
let window: BrowserWindow | undefined

async function start(): Promise<void> {
  session.defaultSession.setPermissionRequestHandler((_contents, permission, allow) => {
    allow(permission === 'fullscreen' || permission === 'clipboard-sanitized-write')
  })
  await openWindow(await engineLink())
}

/** A link into our own engine, or into the one that already runs on this data folder (the command line's, say). */
async function engineLink(): Promise<string> {
  try {
    served ??= await serve({ paths })
    return served.server.newLink()
  } catch (thrown) {
    const running = GodHandError.from(thrown).code === 'engine_running' ? await findEngine(paths) : null
    if (!running) throw thrown
    return await running.newLink()
  }
}

async function openWindow(link: string): Promise<void> {
  const { origin } = new URL(link)
  window = new BrowserWindow({
    width: 1440,
    height: 920,
    minWidth: 900,
    minHeight: 600,
    show: false,
    backgroundColor: '#16161d',
    webPreferences: { contextIsolation: true, nodeIntegration: false, sandbox: true, webSecurity: true },
  })
  window.once('ready-to-show', () => window?.show())
  window.on('closed', () => {
    window = undefined
  })
  // What leads out of the app opens in the person's browser; the window itself never leaves the engine's address.
  window.webContents.setWindowOpenHandler(({ url }) => {
    if (/^https?:/.test(url)) void shell.openExternal(url)
    return { action: 'deny' }
  })
  window.webContents.on('will-navigate', (event, url) => {
    if (new URL(url).origin !== origin) event.preventDefault()
  })
  await window.loadURL(link)
}

function fail(thrown: unknown): void {
  const error = GodHandError.from(thrown)
  dialog.showErrorBox('GodHand can’t start', [error.message, error.hint].filter(Boolean).join('\n\n'))
  app.exit(1)
}

if (!app.requestSingleInstanceLock()) app.quit()
else {
  app.on('second-instance', () => {
    if (window?.isMinimized()) window.restore()
    window?.focus()
  })
  app.on('activate', () => {
    if (!window) engineLink().then(openWindow).catch(fail)
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('before-quit', (event) => {
    if (!served) return
    event.preventDefault() // machines are ended first, then this comes again
    const leaving = served
    served = undefined
    void leaving.close('the app was closed').finally(() => app.quit())
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit())
  app.whenReady().then(start).catch(fail)
}
