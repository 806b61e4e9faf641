import { expect, it } from 'vitest'
import { wantedIn } from './packets.ts'

const MAC = '52:54:00:67:68:01'
const own = [0x52, 0x54, 0, 0x67, 0x68, 1]
const other = [0x52, 0x55, 0x0a, 0, 2, 2]

function recording(...frames: number[][]): Buffer {
  const records = frames.map((frame, index) => {
    const head = Buffer.alloc(16)
    head.writeUInt32LE(1_700_000_000 + index, 0)
    head.writeUInt32LE(frame.length, 8)
    return Buffer.concat([head, Buffer.from(frame)])
  })
  return Buffer.concat([Buffer.alloc(24), ...records])
}

function ipv4(to: number[], protocol: number, segment: number[], from = own): number[] {
  const ip = [0x45, 0, 0, 0, 0, 0, 0, 0, 64, protocol, 0, 0, 10, 0, 2, 15, ...to]
  return [...other, ...from, 8, 0, ...ip, ...segment]
}
const port = (number: number) => [number >> 8, number & 255]
const tcp = (to: number, flags: number) => [0, 99, ...port(to), 0, 0, 0, 0, 0, 0, 0, 0, 0x50, flags, 0, 0, 0, 0, 0, 0]
const udp = (to: number, data: number[]) => [0, 99, ...port(to), 0, 0, 0, 0, ...data]
const asks = (name: string) => [
  ...Array(12).fill(0),
  ...name.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]),
  ...[0, 0, 1, 0, 1],
]
const [SYN, SYN_ACK, ACK] = [0x02, 0x12, 0x10]
const nameServer = [10, 0, 2, 3]

it('names asked for and connections begun are tries, each told once', () => {
  const question = ipv4(nameServer, 17, udp(53, asks('evil.example')))
  const found = wantedIn(
    recording(question, question, ipv4([93, 184, 216, 34], 6, tcp(443, SYN)), ipv4([9, 9, 9, 9], 17, udp(443, [1]))),
    MAC,
  )
  expect(found).toEqual([
    { at: '2023-11-14T22:13:20.000Z', method: 'DNS', host: 'evil.example', port: 53 },
    { at: '2023-11-14T22:13:22.000Z', method: 'TCP', host: '93.184.216.34', port: 443 },
    { at: '2023-11-14T22:13:23.000Z', method: 'UDP', host: '9.9.9.9', port: 443 },
  ])
})

it('over IPv6 too', () => {
  const to = [0x26, 0x06, ...Array(12).fill(0), 0x12, 0x34]
  const packet = [0x60, 0, 0, 0, 0, 20, 6, 64, ...Array(16).fill(1), ...to, ...tcp(80, SYN)]
  expect(wantedIn(recording([...other, ...own, 0x86, 0xdd, ...packet]), MAC)).toMatchObject([
    { method: 'TCP', host: '2606:0:0:0:0:0:0:1234', port: 80 },
  ])
})

it('answers to the way in, what others send, and talk on the wire itself are none', () => {
  const frames = [
    ipv4([10, 0, 2, 2], 6, tcp(40_000, SYN_ACK)),
    ipv4([10, 0, 2, 2], 6, tcp(40_000, ACK)),
    ipv4([10, 0, 2, 15], 6, tcp(22, SYN), other),
    ipv4([255, 255, 255, 255], 17, udp(67, [1])),
    ipv4([224, 0, 0, 251], 17, udp(5353, [1])),
    [...other, ...own, 8, 6, ...Array(28).fill(0)],
  ]
  expect(wantedIn(recording(...frames), MAC)).toEqual([])
})

it('what is cut off or makes no sense is left out', () => {
  const whole = recording(ipv4([9, 9, 9, 9], 6, tcp(80, SYN)))
  expect(wantedIn(whole.subarray(0, whole.length - 3), MAC)).toEqual([])
  expect(wantedIn(Buffer.alloc(0), MAC)).toEqual([])
  expect(wantedIn(recording(ipv4(nameServer, 17, udp(53, [...Array(12).fill(0), 60, 1, 2]))), MAC)).toEqual([])
  expect(wantedIn(recording([1, 2, 3], ipv4([9, 9, 9, 9], 6, [1, 2])), MAC)).toEqual([])
})
