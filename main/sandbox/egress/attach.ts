import type { Duplex } from 'node:stream'
import type { Sandbox } from '../sandbox.ts'
import { useProxyInGuest } from './guest-settings.ts'
import type { Egress } from './proxy.ts'

/** Where programs in the guest find the proxy: http://127.0.0.1:3128 */
export const PROXY_PORT = 3128

/** A machine that can take connections made inside of it to its own loopback. */
export type GuestPorts = {
  /** Kept open when the connection to the guest is made anew. */
  openGuestPort(port: number, onConnection: (connection: Duplex) => void): Promise<{ close(): Promise<void> }>
}

export type AttachedEgress = { close(): Promise<void> }

/** Gives a machine its way out. A restored or forked machine has none until this is called for it. */
export async function attachEgress(
  guest: Pick<Sandbox, 'exec' | 'readFile' | 'onDeath'> & GuestPorts,
  egress: Egress,
): Promise<AttachedEgress> {
  const port = await guest.openGuestPort(PROXY_PORT, (connection) => egress.accept(connection))
  guest.onDeath(() => egress.close())
  try {
    await useProxyInGuest(guest, PROXY_PORT)
  } catch (error) {
    await port.close()
    throw error
  }
  return {
    async close() {
      egress.close()
      await port.close()
    },
  }
}
