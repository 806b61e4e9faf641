import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { GodHandError } from '../contract/errors.ts'
import type { Engine } from '../engine.ts'
import type { Log } from '../log.ts'
import { statusOf } from './routes.ts'
import { LARGEST_MESSAGE, serveRpc } from './rpc-socket.ts'
import { bridgeTerminal } from './terminal-bridge.ts'
import type { Doorkeeper } from './visitor.ts'
import { bridgeVnc } from './vnc-bridge.ts'

type UpgradeOptions = {
  engine: Engine
  log: Log
  doorkeeper: Doorkeeper
  onShutdown: () => void
  onReset: () => Promise<void>
}

export type UpgradeHandler = ReturnType<typeof upgradeHandler>

/** The WebSocket doors: /rpc speaks the contract, /vnc/<machine> carries a live screen, /terminal/<machine> a shell. */
export function upgradeHandler(options: UpgradeOptions) {
  const { engine, log, doorkeeper } = options
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false, // nothing is gained by compressing on the loopback
    handleProtocols: (offered) => ['godhand', 'binary'].find((name) => offered.has(name)) ?? false,
  })

  const upgrade = async (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const visitor = doorkeeper.identify(request)
    if (visitor.kind !== 'known')
      throw new GodHandError('unauthorized', 'This connection came without a valid token or from another page.')
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (pathname === '/rpc')
      return sockets.handleUpgrade(request, connection, head, (socket) => serveRpc(socket, options))
    const terminalOf = /^\/terminal\/([\w-]{1,100})$/.exec(pathname)?.[1]
    if (terminalOf !== undefined) {
      const terminal = await engine.openTerminal(terminalOf, { columns: 80, rows: 24 })
      if (connection.destroyed) return void terminal.stream.destroy()
      return sockets.handleUpgrade(request, connection, head, (socket) => bridgeTerminal(socket, terminal, log))
    }
    const machineId = /^\/vnc\/([\w-]{1,100})$/.exec(pathname)?.[1]
    if (machineId === undefined) throw new GodHandError('not_found', 'Nothing speaks WebSocket at this address.')
    const screen = await engine.openVnc(machineId)
    if (connection.destroyed) return void screen.destroy()
    sockets.handleUpgrade(request, connection, head, (socket) => bridgeVnc(socket, screen, log))
  }

  return {
    handle(request: IncomingMessage, connection: Duplex, head: Buffer): void {
      connection.on('error', (error) => log.debug({ err: error }, 'a connection broke'))
      upgrade(request, connection, head).catch((thrown: unknown) => refuse(connection, GodHandError.from(thrown)))
    },
    connections: () => sockets.clients.size,
    close(): void {
      for (const socket of sockets.clients) socket.close(1001, 'the engine is leaving')
    },
    terminate(): void {
      for (const socket of sockets.clients) socket.terminate()
    },
  }
}

function refuse(connection: Duplex, error: GodHandError): void {
  const status = statusOf(error)
  const body = JSON.stringify({ error: error.toInfo() })
  connection.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
