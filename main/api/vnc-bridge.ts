import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Log } from '../log.ts'

const HIGH_WATER = 4 * 1024 * 1024

/** Carries bytes between a browser's VNC client and a machine's screen. Whoever is slow holds the other side back. */
export function bridgeVnc(socket: WebSocket, screen: Duplex, log: Log): void {
  screen.on('data', (bytes: Buffer) => {
    socket.send(bytes, () => {
      if (screen.isPaused() && socket.bufferedAmount < HIGH_WATER / 2) screen.resume()
    })
    if (socket.bufferedAmount > HIGH_WATER) screen.pause()
  })
  screen.on('drain', () => socket.resume())
  screen.on('end', () => socket.close(1000, 'the screen is gone'))
  screen.on('close', () => socket.close(1000, 'the screen is gone'))
  screen.on('error', (error) => {
    log.info({ err: error }, 'a live view ended')
    socket.close(1011, 'the screen is gone')
  })

  socket.on('message', (data) => {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? new Uint8Array(data) : data
    if (!screen.write(bytes)) socket.pause()
  })
  socket.on('close', () => screen.destroy())
  socket.on('error', () => screen.destroy())
}
