import dns from 'node:dns/promises'
import net from 'node:net'
import { isListed, type Rule } from './allowlist.ts'
import { canonicalHost } from './host-name.ts'
import { isPublicAddress } from './public-address.ts'

/** The addresses of a name. Throws when it has none. */
export type Resolve = (host: string) => Promise<string[]>

export const resolveBySystem: Resolve = async (host) =>
  (await dns.lookup(host, { all: true })).map(({ address }) => address)

export type Decision =
  | { kind: 'allowed'; host: string; addresses: string[] }
  | { kind: 'refused'; host: string; reason: string }
  | { kind: 'failed'; host: string; reason: string }

/**
 * Whether the guest may go there, and to which addresses. The name is resolved here and once: whoever connects must use
 * these addresses, or a name that changes its mind between the look and the connection would lead into the host's own
 * networks.
 */
export async function decide(rules: Rule[], wish: { host: string; port: number }, resolve: Resolve): Promise<Decision> {
  const host = canonicalHost(wish.host)
  if (host === null) return { kind: 'refused', host: wish.host.slice(0, 253), reason: 'that is not the name of a host' }
  if (!isListed(rules, host, wish.port))
    return { kind: 'refused', host, reason: 'it is not on the allowlist of this task' }
  if (net.isIP(host) !== 0) return { kind: 'allowed', host, addresses: [host] }
  let found: string[]
  try {
    found = await resolve(host)
  } catch {
    return { kind: 'failed', host, reason: 'the name was not found' }
  }
  const addresses = found.filter((address) => {
    const canonical = canonicalHost(address)
    return canonical !== null && (isPublicAddress(canonical) || isListed(rules, canonical, wish.port))
  })
  if (addresses.length === 0)
    return { kind: 'refused', host, reason: 'the name points into a private network, and that address is not allowed' }
  return { kind: 'allowed', host, addresses }
}
