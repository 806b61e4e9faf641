import http from 'node:http'
import type { Duplex } from 'node:stream'
import type { EgressAttempt } from '../../contract/egress.ts'
import { parseRule } from './allowlist.ts'
import { type Resolve, resolveBySystem } from './destination.ts'
import { Doorman } from './doorman.ts'
import { answerPlainRequest } from './plain-request.ts'
import { openTunnel } from './tunnel.ts'

export type EgressOptions = {
  /** See allowlist.ts for how a rule is written. */
  allow: string[]
  onAttempt: (attempt: EgressAttempt) => void
  /** At once, to anywhere. */
  maxConnections?: number
  resolve?: Resolve
}

/**
 * A way out for one machine: an HTTP proxy that reaches what is on its list and nothing else. It listens nowhere on the
 * host: connections are handed to it, so that no other program can use it.
 *
 * Not guaranteed: what is said inside an encrypted tunnel. A server that is allowed and serves many names, or forwards,
 * can be used to reach what stands behind it.
 */
export type Egress = {
  readonly allow: string[]
  /** Serves one connection of the guest. */
  accept(connection: Duplex): void
  /** Ends every connection. Safe to call again. */
  close(): void
}

export function openEgress(options: EgressOptions): Egress {
  const doorman = new Doorman({
    rules: options.allow.map(parseRule),
    resolve: options.resolve ?? resolveBySystem,
    maxConnections: options.maxConnections ?? 128,
    onAttempt: options.onAttempt,
  })
  const server = http.createServer({ requestTimeout: 0 }) // an upload may take long; headers have their own limit
  server.on('connect', (request: http.IncomingMessage, guest: Duplex, head: Buffer) => {
    void openTunnel(doorman, request, guest, head)
  })
  server.on('request', (request, response) => {
    void answerPlainRequest(doorman, request, response)
  })
  server.on('clientError', (_error, guest) => guest.destroy())
  const live = new Set<Duplex>()
  let closed = false
  return {
    allow: [...options.allow],
    accept(connection) {
      // Idle connections cost little, but not nothing: a guest that only opens them must not fill the host's memory.
      if (closed || live.size >= 2 * doorman.maxConnections) {
        connection.on('error', () => {})
        connection.destroy()
        return
      }
      live.add(connection)
      connection.once('close', () => live.delete(connection))
      connection.on('error', () => connection.destroy())
      server.emit('connection', connection)
    },
    close() {
      closed = true
      server.close()
      for (const connection of live) connection.destroy()
    },
  }
}
