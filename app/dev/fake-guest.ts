import type { WebSocket } from 'ws'
import { GodHandError } from '../../main/contract/errors.ts'
import type { GuestFile, GuestFolder } from '../../main/contract/guest-files.ts'

/** Inside a make-believe machine: a few folders, and a shell that answers every line with itself. */

const modifiedAt = '2026-11-02T09:00:00.000Z'
const file = (name: string, bytes: number): GuestFile => ({ name, kind: 'file', bytes, modifiedAt })
const folder = (name: string): GuestFile => ({ name, kind: 'folder', bytes: 4096, modifiedAt })

const folders: Record<string, GuestFile[]> = {
  '/': [folder('etc'), folder('home')],
  '/home': [folder('user')],
  '/home/user': [folder('Desktop'), folder('Pictures'), file('letter.txt', 182), file('poem.txt', 74)],
  '/home/user/Desktop': [],
  '/home/user/Pictures': Array.from({ length: 40 }, (_, n) => file(`holiday ${n + 1}.jpg`, 1_400_000 + n * 31_000)),
}

export function filesIn(path: string): GuestFolder {
  const files = folders[path]
  if (!files) throw new GodHandError('not_found', `Cannot look into ${path} in the guest.`, { hint: 'No such folder.' })
  return { path, files, more: false }
}

export function serveShell(socket: WebSocket): void {
  const prompt = '\x1b[32muser@desktop\x1b[0m:\x1b[34m~\x1b[0m$ '
  const write = (text: string) => socket.send(Buffer.from(text))
  let line = ''
  write(prompt)
  socket.on('message', (data, isBinary) => {
    if (!isBinary) return
    for (const key of String(data)) {
      if (key !== '\r') {
        line += key
        write(key)
        continue
      }
      write(`\r\n${line === '' ? '' : `${line}\r\n`}${prompt}`)
      line = ''
    }
  })
}
