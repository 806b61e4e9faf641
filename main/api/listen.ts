import type { Server } from 'node:http'
import { GodHandError } from '../contract/errors.ts'

/** Where GodHand is found when nobody asked for another port, so that a link stays the same from day to day. */
export const USUAL_PORT = 7700

/**
 * Listens on the loopback only. A port the person named must be that one; the usual one gives way to any free one.
 */
export async function listenOnLoopback(server: Server, askedPort: number | undefined): Promise<number> {
  try {
    return await listen(server, askedPort ?? USUAL_PORT)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    const taken = code === 'EADDRINUSE' || code === 'EACCES'
    if (!taken) throw cause
    if (askedPort === undefined) return await listen(server, 0)
    throw new GodHandError(
      'port_taken',
      code === 'EACCES' ? `Port ${askedPort} may not be used by this user.` : `Port ${askedPort} is taken.`,
      {
        cause,
        hint: 'End the program that uses it, give another one with --port, or leave --port out to get a free one.',
        details: { port: askedPort },
      },
    )
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.off('error', reject)
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the server has no port'))
      else resolve(address.port)
    })
  })
}
