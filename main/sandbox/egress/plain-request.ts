import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { Doorman } from './doorman.ts'

/** A request for http://host/path sent to the proxy itself. It is passed on over a connection of its own. */
export async function answerPlainRequest(
  doorman: Doorman,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = URL.parse(request.url ?? '')
  const method = request.method ?? 'GET'
  if (url?.protocol !== 'http:') return say(response, 400, 'GodHand: this is a proxy. Ask it for http://… or CONNECT.')
  const port = url.port === '' ? 80 : Number(url.port)
  const admission = await doorman.admit(method, { host: url.hostname, port })
  if (admission.kind === 'turned') return say(response, admission.status, admission.message)
  const { socket } = admission
  const upstream = http.request({
    createConnection: () => socket,
    method,
    path: `${url.pathname}${url.search}`,
    // The Host header is the one that was decided on, not one the guest may have written beside it.
    headers: ['host', url.host, 'connection', 'close', ...endToEnd(request.rawHeaders, request.headers.connection)],
  })
  response.once('close', () => socket.destroy())
  upstream.on('error', () => {
    if (response.headersSent) response.destroy()
    else say(response, 502, `GodHand: ${admission.host}:${port} broke off the answer.`)
  })
  upstream.on('response', (answer) => {
    const headers = endToEnd(answer.rawHeaders, answer.headers.connection)
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', headers)
    answer.on('error', () => response.destroy())
    answer.pipe(response)
  })
  request.pipe(upstream)
}

/** Of one connection only, so not to be passed on (RFC 9110, 7.6.1). `host` is written anew. */
const HOP_BY_HOP = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
])

function endToEnd(raw: string[], connection: string | undefined): string[] {
  const dropped = new Set([...HOP_BY_HOP, ...(connection ?? '').toLowerCase().split(/\s*,\s*/)])
  const kept: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2)
    if (!dropped.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}

function say(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
  response.end(`${message}\n`)
}
