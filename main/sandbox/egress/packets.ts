import { isIPv4 } from 'node:net'

/** Something a guest tried to reach, read off the packets it sent. `DNS`: it asked where the host is. */
export type Wanted = { at: string; method: 'DNS' | 'TCP' | 'UDP'; host: string; port: number }

const PCAP_HEADER = 24
const RECORD_HEADER = 16
const ETHERNET = 14
const [TCP, UDP] = [6, 17]
const DNS_PORT = 53

/**
 * What the card with this address tried to reach, each once, from a recording in the format of pcap. Answers to others are
 * no tries, and neither is talk that never leaves the machine's own wire: broadcasts, and asking for an address.
 */
export function wantedIn(pcap: Buffer, mac: string): Wanted[] {
  const own = Buffer.from(mac.replaceAll(':', ''), 'hex')
  const wanted = new Map<string, Wanted>()
  for (let at = PCAP_HEADER; at + RECORD_HEADER <= pcap.length; ) {
    const length = pcap.readUInt32LE(at + 8)
    const frame = pcap.subarray(at + RECORD_HEADER, at + RECORD_HEADER + length)
    if (frame.length < length) break // its end is still being written
    if (frame.length > ETHERNET && frame.subarray(6, 12).equals(own)) {
      const found = inPacket(frame.readUInt16BE(12), frame.subarray(ETHERNET))
      const key = JSON.stringify(found)
      const when = new Date(pcap.readUInt32LE(at) * 1000 + Math.floor(pcap.readUInt32LE(at + 4) / 1000))
      if (found && !wanted.has(key)) wanted.set(key, { at: when.toISOString(), ...found })
    }
    at += RECORD_HEADER + length
  }
  return [...wanted.values()]
}

type Found = Omit<Wanted, 'at'>

function inPacket(kind: number, packet: Buffer): Found | null {
  if (kind === 0x0800 && packet.length >= 20) {
    const segment = packet.subarray((packet.readUInt8(0) & 15) * 4)
    return inSegment(packet.readUInt8(9), [...packet.subarray(16, 20)].join('.'), segment)
  }
  if (kind === 0x86dd && packet.length >= 40) {
    const words = Array.from({ length: 8 }, (_, index) => packet.readUInt16BE(24 + index * 2).toString(16))
    return inSegment(packet.readUInt8(6), words.join(':'), packet.subarray(40))
  }
  return null
}

function inSegment(protocol: number, host: string, segment: Buffer): Found | null {
  if (segment.length < 8) return null
  const port = segment.readUInt16BE(2)
  if (protocol === TCP && segment.length >= 14) {
    const begins = (segment.readUInt8(13) & 0x12) === 0x02 // SYN without ACK
    return begins ? { method: 'TCP', host, port } : null
  }
  if (protocol !== UDP) return null
  if (port === DNS_PORT) {
    const name = askedName(segment.subarray(8))
    return name === null ? null : { method: 'DNS', host: name, port }
  }
  return isPublic(host) ? { method: 'UDP', host, port } : null
}

/** The name in the first question of a message to a name server. */
function askedName(message: Buffer): string | null {
  const labels: string[] = []
  for (let at = 12; at < message.length; ) {
    const length = message.readUInt8(at)
    if (length === 0) return labels.join('.') || null
    if (length > 63 || at + length >= message.length) return null
    labels.push(message.toString('latin1', at + 1, at + 1 + length).replace(/[^\w-]/g, '?'))
    at += 1 + length
  }
  return null
}

/** Not to everybody on the wire, and not to the wire itself. */
function isPublic(host: string): boolean {
  if (isIPv4(host)) return !/^(2[2-5]\d\.|10\.0\.2\.|169\.254\.)/.test(host)
  return !/^(ff|fe[89ab]|fec0)/.test(host)
}
