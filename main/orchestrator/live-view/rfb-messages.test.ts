import { describe, expect, test } from 'vitest'
import { ClientMessages, releaseOf } from './rfb-messages.ts'
import { rfb } from './testing.ts'

const all = [
  rfb.update,
  rfb.encodings,
  rfb.key(0x61, true),
  rfb.qemuKey(0x61, false),
  rfb.pointer(1, 300, 200),
  rfb.cutText('hello'),
  rfb.desktopSize,
  rfb.powerOff,
  rfb.fence,
]

describe('the messages of a live view', () => {
  test('are found one by one, however the bytes are cut', () => {
    const stream = Buffer.concat([rfb.greeting, ...all])
    for (const size of [1, 2, 3, 7, stream.length]) {
      const reader = new ClientMessages()
      const read = []
      for (let at = 0; at < stream.length; at += size) read.push(...reader.read(stream.subarray(at, at + size)))
      expect(read.map(({ bytes }) => bytes.toString('hex')).join('')).toBe(stream.toString('hex'))
      expect(read.slice(3).map(({ input }) => input)).toEqual([
        false, // asks for a picture
        false,
        true,
        true,
        true,
        true, // the clipboard
        true, // another size of the screen
        true, // turning the machine off
        false,
      ])
      expect(read.flatMap(({ hand }) => hand ?? [])).toEqual([
        { kind: 'key', keysym: 0x61, down: true },
        { kind: 'key', keysym: 0x61, down: false },
        { kind: 'pointer', buttons: 1, x: 300, y: 200 },
      ])
    }
  })

  test('an old client, which says nothing about security, is read as well', () => {
    const reader = new ClientMessages()
    reader.read(Buffer.concat([Buffer.from('RFB 003.003\n'), Buffer.from([1])]))
    expect(reader.read(rfb.pointer(0, 1, 2))[0]?.hand).toEqual({ kind: 'pointer', buttons: 0, x: 1, y: 2 })
  })

  test.each<[string, Buffer]>([
    ['something that is no greeting', Buffer.from('GET / HTTP/1.')],
    ['another way in', Buffer.from('RFB 003.008\n\x02')],
    ['a kind nobody knows', Buffer.concat([rfb.greeting, Buffer.from([77, 0, 0, 0])])],
    ['a kind of QEMU’s nobody knows', Buffer.concat([rfb.greeting, Buffer.from([255, 9, 0, 0])])],
    ['two gigabytes to paste', Buffer.concat([rfb.greeting, Buffer.from([6, 0, 0, 0, 0x7f, 255, 255, 255])])],
  ])('%s is not let through', (_what, bytes) => {
    expect(() => new ClientMessages().read(bytes)).toThrow()
  })

  test('what is pressed can be let go of', () => {
    expect(releaseOf(rfb.key(0x61, true))).toEqual(rfb.key(0x61, false))
    expect(releaseOf(rfb.qemuKey(0x61, true))).toEqual(rfb.qemuKey(0x61, false))
    expect(releaseOf(rfb.pointer(1, 3, 4))).toEqual(rfb.pointer(0, 3, 4))
  })
})
