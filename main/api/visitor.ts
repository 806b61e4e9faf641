import type { IncomingMessage } from 'node:http'
import { newSecret, sameSecret } from './secrets.ts'

/**
 * Who is knocking. A page on any site, or a name that was rebound to 127.0.0.1, can make the person's browser send
 * requests here; so the Host and Origin must be our own on every request, before any secret is looked at.
 */
export type Visitor =
  | { kind: 'stranger'; reason: string } // a foreign Host or Origin: never served
  | { kind: 'anonymous' } // our own address, but no valid token or session
  | { kind: 'known' }

export type Doorkeeper = {
  readonly token: string
  identify(request: IncomingMessage): Visitor
  /** The header that gives a browser its session. The session lasts as long as the engine. */
  sessionCookie(port: number): string
}

export function doorkeeper(): Doorkeeper {
  const token = newSecret()
  // Not the token itself: a browser sends cookies to every port of a host, so this one opens no more than the page does.
  const session = newSecret()
  return {
    token,
    identify(request) {
      const port = request.socket.localPort ?? 0
      const foreign = foreignAddress(request, port)
      if (foreign) return { kind: 'stranger', reason: foreign }
      const given = bearerToken(request) ?? subprotocolToken(request)
      if (given !== undefined) return sameSecret(given, token) ? { kind: 'known' } : { kind: 'anonymous' }
      const cookie = cookieValue(request, cookieName(port))
      if (cookie === undefined || !sameSecret(cookie, session)) return { kind: 'anonymous' }
      return sentByOurPage(request) ? { kind: 'known' } : { kind: 'stranger', reason: 'sent by another page' }
    },
    sessionCookie: (port) => `${cookieName(port)}=${session}; Path=/; HttpOnly; SameSite=Strict`,
  }
}

// The port is in the name because cookies ignore it: two engines on one host would overwrite each other's.
const cookieName = (port: number) => `godhand_${port}`

const ownHosts = (port: number) => [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]

function foreignAddress(request: IncomingMessage, port: number): string | null {
  const { host, origin } = request.headers
  if (host === undefined || !ownHosts(port).includes(host.toLowerCase())) return `foreign host ${host ?? '(none)'}`
  if (origin !== undefined && origin !== `http://${host}`) return `foreign origin ${origin}`
  return null
}

/**
 * A cookie goes out with every request of the browser, also those another page (on another port: the "same site")
 * made it send. Only opening the page itself may come from elsewhere.
 */
function sentByOurPage(request: IncomingMessage): boolean {
  if (request.headers.upgrade !== undefined) return request.headers.origin !== undefined
  const site = request.headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  return request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate'
}

function bearerToken(request: IncomingMessage): string | undefined {
  return /^Bearer ([\w-]+)$/.exec(request.headers.authorization ?? '')?.[1]
}

function subprotocolToken(request: IncomingMessage): string | undefined {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  return offered.find((name) => name.startsWith('token.'))?.slice('token.'.length)
}

function cookieValue(request: IncomingMessage, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, ...value] = pair.split('=')
    if (key?.trim() === name) return value.join('=').trim()
  }
  return undefined
}
