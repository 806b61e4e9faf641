import net from 'node:net'

/** Ranges that are not the public internet: this host, its networks, and what tunnels an address inside another. */
const NOT_PUBLIC_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16', // also the metadata services of clouds
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
const PUBLIC_6 = '2000::/3' // all that is given out; loopback, link-local, private and v4-mapped ones lie outside
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const notPublic4 = blockList(NOT_PUBLIC_4, 'ipv4')
const public6 = blockList([PUBLIC_6], 'ipv6')
const notPublic6 = blockList(NOT_PUBLIC_6, 'ipv6')

export function isPublicAddress(address: string): boolean {
  if (net.isIPv4(address)) return !notPublic4.check(address, 'ipv4')
  return net.isIPv6(address) && public6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
}

function blockList(ranges: string[], family: 'ipv4' | 'ipv6'): net.BlockList {
  const list = new net.BlockList()
  for (const range of ranges) {
    const [start = '', bits] = range.split('/')
    list.addSubnet(start, Number(bits), family)
  }
  return list
}
