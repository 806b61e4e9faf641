import type { Server } from 'node:http'
import { GodHandError } from '../contract/errors.ts'

/** Where GodHand is found when nobody asked for another port, so that a link stays the same from day to day. */
export const USUAL_PORT = 7700

/**
 * Listens on the loopback only. A port the person named must be that one. Else it is the last one, so that windows left
 * open find the engine again, or the usual one, or any free one.
 */
export async function listenOnLoopback(
  server: Server,
  askedPort: number | undefined,
  lastPort: number | null = null,
): Promise<number> {
  const wanted = askedPort === undefined ? [...(lastPort === null ? [] : [lastPort]), USUAL_PORT, 0] : [askedPort]
  for (const port of wanted) {
    const refused = await tryListen(server, port)
    if (refused === null) return portOf(server)
    if (askedPort === undefined) continue
    throw new GodHandError(
      'port_taken',
      refused.code === 'EACCES' ? `Port ${port} may not be used by this user.` : `Port ${port} is taken.`,
      {
        cause: refused,
        hint: 'End the program that uses it, give another one with --port, or leave --port out to get a free one.',
        details: { port },
      },
    )
  }
  throw new GodHandError('port_taken', 'This computer has no free port left.')
}

type Refusal = Error & { code: 'EADDRINUSE' | 'EACCES' }

/** Null when it listens; what stands in its way when that is another program or this user's rights. */
function tryListen(server: Server, port: number): Promise<Refusal | null> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => (isRefusal(error) ? resolve(error) : reject(error))
    server.once('error', fail)
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.off('error', fail)
      resolve(null)
    })
  })
}

const isRefusal = (error: Error): error is Refusal =>
  'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}
