import { Duplex } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { DisplayLink } from './display-link.ts'

const ROOT = 0x1234

/** An X server that knows its pointer, and mentions a new keyboard map before each answer. */
function server(pointer: () => { x: number; y: number; state: number }): Duplex {
  let greeted = false
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      if (!greeted) {
        greeted = true
        const vendor = 5
        const rest = Buffer.alloc(32 + 8 + 8 + 40)
        rest.writeUInt16LE(vendor, 16)
        rest.writeUInt8(1, 20) // screens
        rest.writeUInt8(1, 21) // formats
        rest.writeUInt32LE(ROOT, 32 + 8 + 8)
        const head = Buffer.from([1, 0, 11, 0, 0, 0, rest.length / 4, 0])
        const whole = Buffer.concat([head, rest])
        this.push(whole.subarray(0, 11))
        this.push(whole.subarray(11))
      } else {
        expect([chunk[0], chunk.readUInt32LE(4)]).toEqual([38, ROOT])
        const { x, y, state } = pointer()
        const news = Buffer.alloc(32, 0)
        news[0] = 34
        const answer = Buffer.alloc(32)
        answer[0] = 1
        answer.writeInt16LE(x, 16)
        answer.writeInt16LE(y, 18)
        answer.writeUInt16LE(state, 24)
        this.push(Buffer.concat([news, answer]))
      }
      done()
    },
  })
  return stream
}

describe('the link to the display', () => {
  it('asks where the pointer is and which buttons are down, without the modifiers', async () => {
    let state = 0x104
    const link = new DisplayLink(async () => server(() => ({ x: 640, y: 7, state })))
    expect(await link.pointer()).toEqual({ at: { x: 640, y: 7 }, buttons: 0x100 })
    state = 0x5
    expect(await link.pointer()).toEqual({ at: { x: 640, y: 7 }, buttons: 0 })
  })

  it('says nothing where nobody answers, and does not ask again at once', async () => {
    let opened = 0
    const link = new DisplayLink(async () => {
      opened++
      throw new Error('no such socket')
    })
    expect(await link.pointer()).toBeNull()
    expect(await link.pointer()).toBeNull()
    expect(opened).toBe(1)
  })

  it('says nothing when the server goes away', async () => {
    const stream = server(() => ({ x: 0, y: 0, state: 0 }))
    const link = new DisplayLink(async () => stream)
    await link.pointer()
    stream.destroy()
    expect(await link.pointer()).toBeNull()
  })
})
