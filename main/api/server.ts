import { createServer } from 'node:http'
import type { Engine } from '../engine.ts'
import type { Log } from '../log.ts'
import { listenOnLoopback } from './listen.ts'
import { oneTimeCodes } from './one-time-codes.ts'
import { answerFailure, answerHttp } from './routes.ts'
import { upgradeHandler } from './upgrades.ts'
import { doorkeeper as newDoorkeeper } from './visitor.ts'

export type ServerOptions = {
  engine: Engine
  log: Log
  uiFolder: string // the built page
  port?: number | undefined // this one or an error; left out: the usual one, or any free one
  onShutdown: () => void // a client asked the engine to end
}

export type EngineServer = {
  readonly port: number
  readonly token: string
  /** An address that lets one browser in, once. */
  newLink(): string
  /** Clients that are connected now. */
  connections(): number
  close(): Promise<void>
}

export async function startServer(options: ServerOptions): Promise<EngineServer> {
  const { engine, log, uiFolder } = options
  const doorkeeper = newDoorkeeper()
  const codes = oneTimeCodes()
  let port = 0
  const newLink = () => `http://127.0.0.1:${port}/?code=${codes.issue()}`
  const routes = { engine, doorkeeper, codes, uiFolder, newLink }
  const upgrades = upgradeHandler({ engine, log, doorkeeper, onShutdown: options.onShutdown })

  const server = createServer((request, response) => {
    answerHttp(routes, request, response).catch((thrown: unknown) => {
      if (!response.destroyed) log.warn({ err: thrown, url: request.url?.split('?')[0] }, 'a request failed')
      answerFailure(thrown, response)
    })
  })
  server.on('upgrade', upgrades.handle)
  port = await listenOnLoopback(server, options.port)
  log.info({ port }, 'listening')

  return {
    port,
    token: doorkeeper.token,
    newLink,
    connections: upgrades.connections,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      upgrades.close()
      server.closeIdleConnections()
      // A client that does not answer the goodbye must not keep the engine from leaving.
      const lastCall = setTimeout(() => {
        upgrades.terminate()
        server.closeAllConnections()
      }, 1000)
      await closed
      clearTimeout(lastCall)
    },
  }
}
