import type { WebSocket } from 'ws'
import { TerminalSize } from '../contract/terminal.ts'
import type { Terminal } from '../engine.ts'
import type { Log } from '../log.ts'

const HIGH_WATER = 1024 * 1024

/** Carries a terminal: bytes both ways, and the window's size as text. Whoever is slow holds the other side back. */
export function bridgeTerminal(socket: WebSocket, { stream, resize }: Terminal, log: Log): void {
  stream.on('data', (bytes: Buffer) => {
    socket.send(bytes, () => {
      if (stream.isPaused() && socket.bufferedAmount < HIGH_WATER / 2) stream.resume()
    })
    if (socket.bufferedAmount > HIGH_WATER) stream.pause()
  })
  stream.on('drain', () => socket.resume())
  stream.on('close', () => socket.close(1000, 'the shell has ended'))
  stream.on('error', (error) => {
    log.info({ err: error }, 'a terminal ended')
    socket.close(1011, 'the connection to the guest broke')
  })

  socket.on('message', (data, isBinary) => {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data
    if (isBinary) {
      if (!stream.write(bytes)) socket.pause()
      return
    }
    const size = sizeIn(bytes.toString())
    if (size) resize(size)
    else socket.close(1007, 'not the size of a terminal')
  })
  socket.on('close', () => stream.destroy())
  socket.on('error', () => stream.destroy())
}

function sizeIn(text: string): TerminalSize | null {
  try {
    return TerminalSize.parse(JSON.parse(text))
  } catch {
    return null
  }
}
