import { app, powerMonitor } from 'electron'
import type { Paths } from '../../paths.ts'
import { SCHEME } from './deep-link.ts'
import { Desktop, report } from './desktop.ts'
import type { Serving } from './engine-door.ts'
import { type Wish, wishIn } from './launch-arguments.ts'
import { words } from './words.ts'

/**
 *  running ◄──► asking (something would be lost)
 *     └───────────┴──► leaving (machines are being ended) ──► gone
 */
type Quitting = 'running' | 'asking' | 'leaving' | 'gone'

/** One program on one data folder: what the system says to it, in order. */
export function runProgram(paths: Paths, serving: Serving = {}): void {
  if (!app.requestSingleInstanceLock()) {
    app.quit() // the first one hears of it and shows itself
    return
  }
  let desktop: Desktop | null = null
  let quitting: Quitting = 'running'
  let waiting = wishIn(process.argv, process.cwd()) // what was asked for before there was a window to show it in

  const follow = (wish: Wish | null) => {
    if (!wish) return
    if (desktop) void desktop.follow(wish)
    else waiting = wish
  }
  const quitNow = (reason: string) => {
    if (quitting === 'leaving' || quitting === 'gone') return
    quitting = 'leaving'
    // What is still starting is there first, and then left in order: half an engine would leave machines behind.
    const left = started.then(() => desktop?.leave(reason)).catch(report(words.leftBehind))
    void left.then(() => {
      quitting = 'gone'
      app.quit()
    })
  }
  const askToQuit = async () => {
    quitting = 'asking'
    const answer = (await desktop?.mayQuit()) ?? 'quit'
    if (quitting !== 'asking') return // a signal did not wait for the answer
    quitting = 'running'
    if (answer === 'quit') quitNow('the app was closed')
  }
  const start = async () => {
    if (app.isPackaged) app.setAsDefaultProtocolClient(SCHEME) // from the sources it would point at Electron itself
    desktop = await Desktop.open(paths, serving)
    void desktop.ended.then(() => quitNow('the engine was stopped'))
    powerMonitor.on('shutdown', () => quitNow('the computer shuts down'))
    const first = waiting
    waiting = null
    follow(first)
  }

  app.on('second-instance', (_event, argv, folder) => {
    desktop?.show()
    follow(wishIn(argv, folder))
  })
  app.on('open-url', (event, link) => {
    event.preventDefault()
    follow({ kind: 'link', link })
  })
  app.on('open-file', (event, file) => {
    event.preventDefault()
    follow({ kind: 'trace', file })
  })
  app.on('activate', () => desktop?.show())
  app.on('window-all-closed', () => {}) // listening keeps the tray alive; who wants to leave quits
  app.on('before-quit', (event) => {
    if (quitting === 'gone') return
    event.preventDefault()
    if (quitting === 'running') void askToQuit()
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => quitNow(signal))
  const started = app
    .whenReady()
    .then(start)
    .catch((thrown) => {
      report(words.cannotStart)(thrown)
      app.exit(1)
    })
}
