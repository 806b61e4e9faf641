import type { Duplex } from 'node:stream'
import type { Client, ClientChannel, TcpConnectionDetails } from 'ssh2'
import { GodHandError } from '../../contract/errors.ts'

/**
 * A port on the guest's own loopback whose connections arrive here, through the SSH connection that is there anyway.
 * Nothing is opened in the machine's network card, and nothing listens on the host. (QEMU's guestfwd is no way: through
 * a character device it mixes all connections into one stream, and its other form starts a process for each.)
 */
export async function listenInGuest(
  ssh: Client,
  port: number,
  onConnection: (connection: Duplex) => void,
): Promise<void> {
  ssh.on('tcp connection', (details: TcpConnectionDetails, accept: () => ClientChannel) => {
    if (details.destPort === port) onConnection(accept())
  })
  try {
    await forwardIn(ssh, port)
  } catch {
    await endForgottenListener(ssh, port)
    await forwardIn(ssh, port).catch((cause: unknown) => {
      throw new GodHandError('conflict', `Port ${port} in the guest is taken.`, {
        cause,
        hint: 'A program in the guest listens there: end it.',
      })
    })
  }
}

function forwardIn(ssh: Client, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    ssh.forwardIn('127.0.0.1', port, (error) => (error ? reject(error) : resolve()))
  })
}

/**
 * In a restored or forked machine the SSH server still serves a connection of another life, and holds its port. Only a
 * process of the SSH server is ended, never one of the guest's own.
 */
function endForgottenListener(ssh: Client, port: number): Promise<void> {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const script = `
socket=$(awk '$2 == "${local}" && $4 == "0A" { print "socket:[" $10 "]" }' /proc/net/tcp)
[ -n "$socket" ] || exit 0
holders=$(sudo ls -l /proc/[0-9]*/fd 2>/dev/null |
  awk -v socket="$socket" '/^\\/proc\\// { split($0, part, "/"); pid = part[3] } $NF == socket { print pid }')
for pid in $holders; do
  case $(cat /proc/$pid/comm) in sshd*) sudo kill -9 $pid ;; esac
done
while grep -q ": ${local} 00000000:0000 0A " /proc/net/tcp && [ "\${tries:=0}" -lt 100 ]; do
  tries=$((tries + 1)); sleep 0.02
done`
  return new Promise((resolve, reject) => {
    ssh.exec(script, (error, channel) => {
      if (error) return reject(error)
      channel.on('close', () => resolve())
      channel.resume()
      channel.stderr.resume()
      channel.end()
    })
  })
}
