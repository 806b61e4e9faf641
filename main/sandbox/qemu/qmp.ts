import net from 'node:net'
import { z } from 'zod'
import { GodHandError } from '../../contract/errors.ts'

const Reply = z.union([
  z.object({ QMP: z.object({}).loose() }),
  z.object({ event: z.string(), data: z.record(z.string(), z.unknown()).optional() }),
  z.object({ error: z.object({ class: z.string(), desc: z.string() }), id: z.number().optional() }),
  z.object({ return: z.unknown(), id: z.number().optional() }),
])

type Pending = { command: string; resolve: (value: unknown) => void; reject: (error: Error) => void }
type Listener = (name: string, data: Record<string, unknown>) => void

/** QEMU's control channel: JSON commands answered in order, events in between. */
export class Qmp {
  readonly #socket: net.Socket
  readonly #pending = new Map<number, Pending>()
  readonly #listeners = new Set<Listener>()
  #nextId = 1
  #buffered = ''
  #closed: GodHandError | null = null

  private constructor(socket: net.Socket) {
    this.#socket = socket
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => this.#receive(chunk))
    socket.on('error', () => {}) // 'close' follows and settles everything
    socket.on('close', () => this.#close())
  }

  /** Connects and negotiates. The socket must already be listening. */
  static async connect(path: string): Promise<Qmp> {
    const socket = await new Promise<net.Socket>((resolve, reject) => {
      const attempt = net.connect(path)
      attempt.once('connect', () => resolve(attempt))
      attempt.once('error', reject)
    })
    const qmp = new Qmp(socket)
    await qmp.execute('qmp_capabilities')
    return qmp
  }

  execute(command: string, args?: Record<string, unknown>): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#closed)
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { command, resolve, reject })
      this.#socket.write(`${JSON.stringify({ execute: command, ...(args ? { arguments: args } : {}), id })}\n`)
    })
  }

  /** A command of the human monitor, for the few things QMP has no word for. */
  async human(commandLine: string): Promise<string> {
    return z.string().parse(await this.execute('human-monitor-command', { 'command-line': commandLine }))
  }

  onEvent(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(chunk: string): void {
    this.#buffered += chunk
    for (let end = this.#buffered.indexOf('\n'); end >= 0; end = this.#buffered.indexOf('\n')) {
      const line = this.#buffered.slice(0, end)
      this.#buffered = this.#buffered.slice(end + 1)
      if (line.trim()) this.#dispatch(Reply.parse(JSON.parse(line)))
    }
  }

  #dispatch(reply: z.infer<typeof Reply>): void {
    if ('QMP' in reply) return
    if ('event' in reply) {
      for (const listener of this.#listeners) listener(reply.event, reply.data ?? {})
      return
    }
    const pending = reply.id === undefined ? undefined : this.#pending.get(reply.id)
    if (reply.id === undefined || !pending) return
    this.#pending.delete(reply.id)
    if ('error' in reply)
      pending.reject(new GodHandError('machine_error', `QEMU refused ${pending.command}: ${reply.error.desc}`))
    else pending.resolve(reply.return)
  }

  #close(): void {
    this.#closed = new GodHandError('machine_died', 'The machine has ended.')
    for (const pending of this.#pending.values()) pending.reject(this.#closed)
    this.#pending.clear()
  }
}
