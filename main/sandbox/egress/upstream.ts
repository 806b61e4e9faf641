import net from 'node:net'

const CONNECT_TIMEOUT_MS = 10_000

/** Connects to the first address that answers. Throws the last error when none does. */
export async function connectUpstream(
  addresses: string[],
  port: number,
): Promise<{ socket: net.Socket; address: string }> {
  let last: unknown = new Error('no address')
  for (const address of addresses) {
    try {
      return { socket: await connectTo(address, port), address }
    } catch (error) {
      last = error
    }
  }
  throw last
}

function connectTo(address: string, port: number): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: address, port, allowHalfOpen: true })
    const timer = setTimeout(() => socket.destroy(new Error('nobody answered in time')), CONNECT_TIMEOUT_MS)
    socket.once('error', reject)
    socket.once('close', () => clearTimeout(timer))
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', reject)
      socket.on('error', () => {}) // 'close' follows, and is what both users of it act on
      resolve(socket)
    })
  })
}

export function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED') return 'it refuses the connection'
  if (code === 'ENETUNREACH' || code === 'EHOSTUNREACH') return 'there is no way to it from this host'
  return error instanceof Error && !code ? error.message : `it does not answer (${code})`
}
