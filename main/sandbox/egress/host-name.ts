import net from 'node:net'
import { domainToASCII } from 'node:url'

/**
 * One spelling for every way to write a host: lower case, punycode, no final dot, addresses in canonical form (so that
 * 0x7f.1 is seen to be 127.0.0.1). Null when it is neither a name nor an address.
 */
export function canonicalHost(text: string): string | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  if (net.isIPv6(bare)) return canonicalIPv6(bare)
  const ascii = domainToASCII(text).toLowerCase().replace(/\.$/, '')
  if (net.isIPv4(ascii)) return ascii
  return NAME.test(ascii) && ascii.length <= 253 ? ascii : null
}

const NAME = /^[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*$/

function canonicalIPv6(address: string): string | null {
  const url = URL.parse(`http://[${address}]/`) // refuses zones, which name a network card of the host
  return url ? url.hostname.slice(1, -1) : null
}

/** "host:port", "[v6]:port" or just the host. The port is null where none is named. */
export function splitPort(text: string): { host: string; port: number | null } | null {
  const parts = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text)
  if (!parts) return net.isIPv6(text) ? { host: text, port: null } : null
  const [, host = '', digits] = parts
  const port = digits === undefined ? null : Number(digits)
  if (port !== null && (port < 1 || port > 65_535)) return null
  return { host, port }
}
