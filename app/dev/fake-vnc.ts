import type { WebSocket } from 'ws'
import { height, pixelsOf, type Scene, width } from './fake-frames.ts'

/** Just enough of RFB 3.8 (RFC 6143) to show noVNC a moving picture: no password, raw pixels, input ignored. */
export function serveScreen(socket: WebSocket, scene: () => Scene): void {
  const write = (bytes: Buffer) => socket.readyState === socket.OPEN && socket.send(bytes)
  let received = Buffer.alloc(0)
  let stage: 'version' | 'security' | 'init' | 'messages' = 'version'
  let sending = false
  let last = ''

  const update = async () => {
    if (sending) return
    sending = true
    // Told again only when it changed, or a quiet screen would cost as much as a film.
    while (socket.readyState === socket.OPEN && JSON.stringify(scene()) === last) await pause(100)
    last = JSON.stringify(scene())
    const head = Buffer.alloc(16)
    head.writeUInt16BE(1, 2)
    head.writeUInt16BE(width, 8)
    head.writeUInt16BE(height, 10)
    write(Buffer.concat([head, await pixelsOf(scene())]))
    sending = false
  }

  const take = (count: number): Buffer | undefined => {
    if (received.length < count) return undefined
    const taken = received.subarray(0, count)
    received = received.subarray(count)
    return taken
  }

  /** Handles one message; false when more bytes are needed first. */
  const step = (): boolean => {
    switch (stage) {
      case 'version':
        if (!take(12)) return false
        stage = 'security'
        write(Buffer.from([1, 1]))
        return true
      case 'security':
        if (!take(1)) return false
        stage = 'init'
        write(Buffer.alloc(4))
        return true
      case 'init':
        if (!take(1)) return false
        stage = 'messages'
        write(serverInit())
        return true
      case 'messages':
        return message()
    }
  }

  const message = (): boolean => {
    const kind = received[0]
    if (kind === undefined) return false
    if (kind === 2) {
      if (received.length < 4) return false
      return take(4 + received.readUInt16BE(2) * 4) !== undefined
    }
    if (kind === 6) {
      if (received.length < 8) return false
      return take(8 + Math.abs(received.readInt32BE(4))) !== undefined
    }
    const size = { 0: 20, 3: 10, 4: 8, 5: 6 }[kind]
    if (size === undefined) {
      socket.close()
      return false
    }
    const taken = take(size)
    if (!taken) return false
    if (kind === 3) {
      if (taken[1] === 0) last = ''
      void update()
    }
    return true
  }

  socket.on('message', (data: Buffer) => {
    received = Buffer.concat([received, data])
    while (step());
  })
  write(Buffer.from('RFB 003.008\n'))
}

function serverInit(): Buffer {
  const name = Buffer.from('make-believe')
  const init = Buffer.alloc(24)
  init.writeUInt16BE(width, 0)
  init.writeUInt16BE(height, 2)
  // 32 bits a pixel, 24 used, little-endian, true colour, 255 of each at 0, 8 and 16
  Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16]).copy(init, 4)
  init.writeUInt32BE(name.length, 20)
  return Buffer.concat([init, name])
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
