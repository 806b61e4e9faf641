import { createServer } from 'node:http'
import { GodHandError } from '../contract/errors.ts'
import type { Engine } from '../engine.ts'
import type { Log } from '../log.ts'
import { type KeptDoor, passingDoor } from './kept-door.ts'
import { listenOnLoopback } from './listen.ts'
import { oneTimeCodes } from './one-time-codes.ts'
import { returningWindows } from './returning.ts'
import { answerFailure, answerHttp } from './routes.ts'
import type { UpgradeHandler } from './upgrades.ts'
import { doorkeeper as newDoorkeeper } from './visitor.ts'

export type ServerOptions = {
  engine: Engine
  log: Log
  uiFolder: string // the built page
  port?: number | undefined // this one or an error; left out: the last one, the usual one, or any free one
  door?: KeptDoor // left out: nothing outlives this server
  onShutdown: () => void // a client asked the engine to end
  onReset?: () => Promise<void> // … to begin anew, with nothing
}

export type EngineServer = {
  readonly port: number
  readonly token: string
  /** An address that lets one browser in, once. */
  newLink(): string
  /** Settles when the first window has its page and asks for more. */
  readonly asked: Promise<void>
  /** Clients that are connected now. */
  connections(): number
  close(): Promise<void>
}

export async function startServer(options: ServerOptions): Promise<EngineServer> {
  const { engine, log, uiFolder } = options
  const doorkeeper = newDoorkeeper()
  const door = options.door ?? passingDoor()
  const codes = oneTimeCodes()
  const onReset =
    options.onReset ?? (() => Promise.reject(new GodHandError('unsupported', 'Nothing can be reset here.')))
  let port = 0
  const newLink = () => `http://127.0.0.1:${port}/?code=${codes.issue()}`
  const windows = returningWindows(door.key)
  const routes = { engine, doorkeeper, codes, windows, uiFolder, newLink }
  let upgrades: UpgradeHandler | null = null
  // The page is there before all that speaks the contract is loaded.
  const loadUpgrades = async () => {
    const { upgradeHandler } = await import('./upgrades.ts')
    upgrades ??= upgradeHandler({ engine, log, doorkeeper, onShutdown: options.onShutdown, onReset })
    return upgrades
  }

  const server = createServer((request, response) => {
    answerHttp(routes, request, response).catch((thrown: unknown) => {
      if (!response.destroyed) log.warn({ err: thrown, url: request.url?.split('?')[0] }, 'a request failed')
      answerFailure(thrown, response)
    })
  })
  const asked = Promise.withResolvers<void>()
  server.on('upgrade', async (...request) => {
    asked.resolve()
    const handler = upgrades ?? (await loadUpgrades())
    handler.handle(...request)
  })
  port = await listenOnLoopback(server, options.port, door.port)
  door.remember(port)
  log.info({ port }, 'listening')

  return {
    port,
    token: doorkeeper.token,
    newLink,
    asked: asked.promise,
    connections: () => upgrades?.connections() ?? 0,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      upgrades?.close()
      server.closeIdleConnections()
      // A client that does not answer the goodbye must not keep the engine from leaving.
      const lastCall = setTimeout(() => {
        upgrades?.terminate()
        server.closeAllConnections()
      }, 1000)
      await closed
      clearTimeout(lastCall)
    },
  }
}
