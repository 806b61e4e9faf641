import { setTimeout as delay } from 'node:timers/promises'
import { openKeptDoor } from '../api/kept-door.ts'
import { type EngineServer, startServer } from '../api/server.ts'
import type { Engine } from '../engine.ts'
import { type Log, openLog } from '../log.ts'
import type { EngineOptions } from '../orchestrator/engine.ts'
import type { Paths } from '../paths.ts'
import { uiFolder } from './app-root.ts'
import { acquireLock } from './engine-lock.ts'
import { whenIdle } from './idle.ts'
import { standingEngine } from './standing-engine.ts'
import { wipeHome } from './wipe-home.ts'

type Sealer = EngineOptions['sealer']
export type OpenEngine = (options: { paths: Paths; log: Log; sealer: Sealer; readScreens: boolean }) => Promise<Engine>

export type ServeOptions = {
  paths: Paths
  port?: number | undefined
  /** Leave after this long without work and without anyone connected. Left out: stay. */
  idleMs?: number | undefined
  sealer?: Sealer // the system's keychain, where the shell knows one
  /** The page can be had, and whoever asks for more waits: the engine behind it is being opened. */
  onDoorsOpen?: (server: EngineServer) => void
  openEngine?: OpenEngine // the real one unless a test brings its own
  uiFolder?: string
}

export type Served = {
  readonly server: EngineServer
  readonly log: Log
  /** Settles when the engine has left: by close(), by a client's wish, or for want of work. */
  readonly ended: Promise<void>
  /** Ends machines and tasks, closes the store, gives the data folder back. Safe to call again. */
  close(reason: string): Promise<void>
}

/** Loading the engine keeps this process busy: a window that opens at once has its page before that begins. */
const PAGE_FIRST_MS = 1000

/** One engine on one data folder, with its doors open. What is begun here is undone in reverse when anything fails. */
export async function serve(options: ServeOptions): Promise<Served> {
  const { paths } = options
  const lock = await acquireLock(paths)
  const release = () => lock.release()
  process.once('exit', release) // whatever ends this process, the folder is given back
  const undo: (() => Promise<void> | void)[] = [() => void process.off('exit', release), release]
  const unwind = async () => {
    const failures: unknown[] = []
    for (const step of undo.splice(0).reverse()) {
      try {
        await step()
      } catch (thrown) {
        failures.push(thrown)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  try {
    const log = openLog(paths)
    if (lock.predecessor) log.warn({ pid: lock.predecessor.pid }, 'the previous engine ended without cleaning up')
    const open = async () => {
      const openEngine = options.openEngine ?? (await import('../orchestrator/engine.ts')).openEngine
      return openEngine({ paths, log, sealer: options.sealer, readScreens: true })
    }
    const standing = standingEngine()
    const { engine } = standing
    undo.push(() => engine.close())

    const end = Promise.withResolvers<void>()
    let closing: Promise<void> | undefined
    const close = (reason: string) => {
      closing ??= (async () => {
        log.info({ reason }, 'leaving')
        await unwind()
      })()
      closing.then(end.resolve, end.reject)
      return closing
    }

    const server = await startServer({
      engine,
      log,
      uiFolder: options.uiFolder ?? uiFolder(),
      port: options.port,
      door: openKeptDoor(paths.door),
      onReset: async () => {
        log.warn('everything is erased, as the person wished')
        await standing.replace(() => wipeHome(paths), open)
      },
      onShutdown: () => void close('asked to').catch((error) => log.error({ err: error }, 'could not leave cleanly')),
    })
    undo.push(() => server.close())
    if (options.onDoorsOpen) {
      options.onDoorsOpen(server)
      await Promise.race([server.asked, delay(PAGE_FIRST_MS, undefined, { ref: false })])
    }
    await standing.open(open)
    lock.announce(server.port, server.token)
    undo.push(() => lock.withdraw())
    if (options.idleMs !== undefined) {
      const isBusy = () => engine.busy() || server.connections() > 0
      undo.push(whenIdle(options.idleMs, isBusy, () => void close('nothing to do').catch(() => {})))
    }
    end.promise.catch(() => {}) // close() hands the same failure to its caller
    return { server, log, ended: end.promise, close }
  } catch (thrown) {
    await unwind().catch(() => {}) // the first failure is the one to tell
    throw thrown
  }
}
