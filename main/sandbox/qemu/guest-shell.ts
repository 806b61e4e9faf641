import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { NodeSSH } from 'node-ssh'
import type { ClientChannel } from 'ssh2'
import { GodHandError } from '../../contract/errors.ts'
import type { ExecResult } from '../../contract/machine.ts'
import type { TerminalSize } from '../../contract/terminal.ts'
import { listenInGuest } from '../egress/guest-port.ts'
import type { ExecOptions, GuestPort, Terminal } from '../sandbox.ts'
import { runInGuest } from './guest-command.ts'
import { WaitingShells } from './waiting-shells.ts'

const CONNECT_TIMEOUT_MS = 60_000

export type ShellTarget = {
  port: () => Promise<number>
  user?: string
  privateKey: string
  gone: () => boolean
}

/** Commands and files in the guest, over one kept SSH connection that is made again when it breaks. */
export class GuestShell {
  readonly #target: ShellTarget
  /** Ports in the guest that lead here, opened again on every new connection. */
  readonly #ports = new Map<number, (connection: Duplex) => void>()
  #connection: Promise<Connection> | null = null

  constructor(target: ShellTarget) {
    this.#target = target
  }

  /** Connects ahead of need, and sets the guest's clock: it stood still since the snapshot was taken. */
  warmUp(): void {
    this.#connected().catch(() => {}) // whoever needs it will see the error
  }

  async exec(command: string, options: ExecOptions = {}): Promise<ExecResult> {
    const connection = await orAborted(this.#connected(), options.signal)
    return runInGuest(connection.shells, `${ENVIRONMENT} ${command}`, options).catch((error: unknown) => {
      if (!(error instanceof GodHandError)) this.#connection = null
      throw error
    })
  }

  execFile(argv: string[], options?: ExecOptions): Promise<ExecResult> {
    return this.exec(argv.map(quote).join(' '), options)
  }

  async readFile(path: string, limitBytes: number): Promise<Buffer> {
    const { exitCode, stdout, stderr } = await this.execFile(
      ['sh', '-c', READ_FILE, 'sh', path, String(limitBytes + 1)],
      {
        maxOutputBytes: Math.ceil((limitBytes + 3) / 3) * 4 + 4096,
      },
    )
    if (exitCode !== 0)
      throw new GodHandError(
        exitCode === 4 ? 'not_found' : 'machine_error',
        `Cannot read ${path} in the guest: ${stderr.trim()}`,
      )
    const content = Buffer.from(stdout, 'base64')
    if (content.length > limitBytes)
      throw new GodHandError('bad_request', `${path} in the guest is larger than the limit of ${limitBytes} bytes.`)
    return content
  }

  async writeFile(path: string, content: Buffer): Promise<void> {
    const { exitCode, stderr } = await this.execFile(
      ['sh', '-c', 'mkdir -p -- "$(dirname -- "$1")" && cat >"$1"', 'sh', path],
      {
        stdin: content,
      },
    )
    if (exitCode !== 0) throw new GodHandError('machine_error', `Cannot write ${path} in the guest: ${stderr.trim()}`)
  }

  async openPort(port: number, onConnection: (connection: Duplex) => void): Promise<GuestPort> {
    if (this.#ports.has(port)) throw new GodHandError('conflict', `Port ${port} of the guest leads here already.`)
    const { ssh } = await this.#connected()
    const { connection } = ssh
    if (!connection) throw new GodHandError('machine_error', 'The connection to the guest broke.')
    await listenInGuest(connection, port, onConnection)
    this.#ports.set(port, onConnection)
    return {
      close: async () => {
        if (!this.#ports.delete(port)) return
        const kept = await this.#connection?.catch(() => null)
        await new Promise<void>((resolve) => {
          if (kept?.ssh.connection) kept.ssh.connection.unforwardIn('127.0.0.1', port, () => resolve())
          else resolve()
        })
      },
    }
  }

  /** A connection to a program that listens on a socket file in the guest. */
  async openSocket(path: string): Promise<Duplex> {
    const { connection } = (await this.#connected()).ssh
    if (!connection) throw new GodHandError('machine_error', 'The connection to the guest broke.')
    return new Promise((resolve, reject) => {
      connection.openssh_forwardOutStreamLocal(path, (error, channel) => (error ? reject(error) : resolve(channel)))
    })
  }

  async openTerminal({ columns, rows }: TerminalSize): Promise<Terminal> {
    const { connection } = (await this.#connected()).ssh
    if (!connection) throw new GodHandError('machine_error', 'The connection to the guest broke.')
    const channel = await new Promise<ClientChannel>((resolve, reject) => {
      connection.shell({ term: 'xterm-256color', cols: columns, rows }, (error, opened) =>
        error ? reject(error) : resolve(opened),
      )
    })
    return { stream: channel, resize: (size) => channel.setWindow(size.rows, size.columns, 0, 0) }
  }

  close(): void {
    this.#ports.clear()
    const connection = this.#connection
    this.#connection = null
    void connection?.then(({ ssh }) => ssh.connection?.destroy()).catch(() => {})
  }

  #connected(): Promise<Connection> {
    this.#connection ??= this.#connect().catch((error: unknown) => {
      this.#connection = null
      throw error
    })
    return this.#connection
  }

  async #connect(): Promise<Connection> {
    const deadline = performance.now() + CONNECT_TIMEOUT_MS
    for (let wait = 20; ; wait = Math.min(wait * 2, 500)) {
      if (this.#target.gone()) throw new GodHandError('machine_died', 'The machine has ended.')
      try {
        return await this.#connectOnce()
      } catch (cause) {
        if (performance.now() > deadline)
          throw new GodHandError('timeout', 'The guest does not answer over SSH.', {
            cause,
            hint: 'The desktop may still be usable by hand. Destroy this machine and create another if it stays so.',
          })
        await delay(wait)
      }
    }
  }

  async #connectOnce(): Promise<Connection> {
    const ssh = new NodeSSH()
    await ssh.connect({
      host: '127.0.0.1',
      port: await this.#target.port(),
      username: this.#target.user ?? 'user',
      privateKey: this.#target.privateKey,
      readyTimeout: 15_000,
      keepaliveInterval: 10_000,
    })
    // A connection that breaks later is made again by the next call; ssh2 throws where nobody listens.
    ssh.connection?.on('error', () => {
      this.#connection = null
    })
    ssh.connection?.on('close', () => {
      this.#connection = null
      if (this.#ports.size > 0) this.warmUp()
    })
    if (!ssh.connection) throw new Error('the connection broke as soon as it was made')
    for (const [port, onConnection] of this.#ports) await listenInGuest(ssh.connection, port, onConnection)
    const shells = new WaitingShells(ssh.connection)
    await runInGuest(shells, `sudo date -u -s @${(Date.now() / 1000).toFixed(2)}`, { timeoutMs: 10_000 })
    return { ssh, shells }
  }
}

/** The connection is everybody's: who gives up waiting for it does not end it. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  const stopped = Promise.withResolvers<never>()
  const onAbort = () => stopped.reject(new GodHandError('cancelled', 'The command was cancelled.'))
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([work, stopped.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

type Connection = { ssh: NodeSSH; shells: WaitingShells }

/** The desktop's display, and the way out if the machine was given one: a shell that waited does not know of it yet. */
const ENVIRONMENT = 'export DISPLAY=:0; [ ! -r /etc/profile.d/godhand-proxy.sh ] || . /etc/profile.d/godhand-proxy.sh;'

/** As base64, because a channel's output is text to most of what handles it. 4: no such file. */
const READ_FILE = '[ -e "$1" ] || { echo "no such file" >&2; exit 4; }; head -c "$2" -- "$1" | base64 -w0'

/** One argument for a POSIX shell, whatever it holds. */
export function quote(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`
}
