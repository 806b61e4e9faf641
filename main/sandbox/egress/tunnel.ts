import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Doorman } from './doorman.ts'
import { splitPort } from './host-name.ts'

/** CONNECT host:port, as browsers and curl say for https. From then on bytes pass both ways, unread. */
export async function openTunnel(
  doorman: Doorman,
  request: IncomingMessage,
  guest: Duplex,
  head: Buffer,
): Promise<void> {
  guest.on('error', () => guest.destroy())
  const target = splitPort(request.url ?? '')
  if (!target || target.port === null) return refuse(guest, 400, 'GodHand: CONNECT needs host:port.')
  const admission = await doorman.admit('CONNECT', { host: target.host, port: target.port })
  if (admission.kind === 'turned') return refuse(guest, admission.status, admission.message)
  const { socket } = admission
  if (guest.destroyed) return void socket.destroy()
  guest.once('close', () => socket.destroySoon())
  socket.once('close', () => {
    // What the server said last may still be on its way to the guest.
    if (!socket.readableEnded || guest.writableFinished) guest.destroy()
    else guest.once('finish', () => guest.destroy()).end()
  })
  guest.write('HTTP/1.1 200 Connection established\r\n\r\n')
  if (head.length > 0) socket.write(head)
  socket.pipe(guest)
  guest.pipe(socket)
}

const REASONS = { 400: 'Bad Request', 403: 'Forbidden', 502: 'Bad Gateway', 503: 'Service Unavailable' }

function refuse(guest: Duplex, status: keyof typeof REASONS, message: string): void {
  const body = `${message}\n`
  guest.end(
    [
      `HTTP/1.1 ${status} ${REASONS[status]}`,
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
