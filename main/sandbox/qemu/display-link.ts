import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { GodHandError } from '../../contract/errors.ts'
import type { Point } from '../../contract/geometry.ts'

/** What the guest's X server says of its pointer: only what it has dealt with, not what still waits. */
export type Pointer = { at: Point; buttons: number }

/** Buttons 1 to 5 in the server's state word; the modifiers are below them. */
const BUTTONS = 0x1f00
/** Long, because the way to a guest that has just woken up must be made first. */
const ANSWER_MS = 5000
/** After a failure the server is left alone for a while: input goes on without it. */
const REST_MS = 10_000
const PACKET = 32
const REPLY = 1
const SETUP = Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]) // little endian, X11, no authorization
const QUERY_POINTER = 38

/**
 * Asks the guest's X server where its pointer is, over its own socket and the SSH connection that is there anyway: no
 * program runs in the guest for it. Two requests of the X protocol are all it speaks.
 */
export class DisplayLink {
  readonly #open: () => Promise<Duplex>
  #server: Promise<Server> | null = null
  #restUntil = 0

  constructor(open: () => Promise<Duplex>) {
    this.#open = open
  }

  /** null where nobody answers: no SSH, another kind of display, or a guest that hangs. */
  async pointer(): Promise<Pointer | null> {
    if (performance.now() < this.#restUntil) return null
    this.#server ??= this.#open().then((stream) => greet(stream))
    const server = this.#server
    try {
      return await inTime(server.then((one) => one.pointer()))
    } catch {
      this.#server = null
      this.#restUntil = performance.now() + REST_MS
      void server.then((one) => one.close()).catch(() => {})
      return null
    }
  }
}

type Server = { pointer: () => Promise<Pointer>; close: () => void }

async function greet(stream: Duplex): Promise<Server> {
  const bytes = reader(stream)
  stream.write(SETUP)
  const head = await bytes(8)
  const rest = await bytes(head.readUInt16LE(6) * 4)
  if (head[0] !== 1) throw new GodHandError('machine_error', 'The guest’s X server refuses us.')
  const vendor = Math.ceil(rest.readUInt16LE(16) / 4) * 4
  const formats = rest.readUInt8(21) * 8
  const root = rest.readUInt32LE(32 + vendor + formats)
  const question = Buffer.alloc(8)
  question.writeUInt8(QUERY_POINTER, 0)
  question.writeUInt16LE(2, 2)
  question.writeUInt32LE(root, 4)
  return {
    close: () => stream.destroy(),
    async pointer() {
      stream.write(question)
      let answer = await bytes(PACKET)
      // Some events come unasked, such as the news of another keyboard map.
      while (answer[0] !== REPLY) answer = await bytes(PACKET)
      const at = { x: answer.readInt16LE(16), y: answer.readInt16LE(18) }
      return { at, buttons: answer.readUInt16LE(24) & BUTTONS }
    },
  }
}

/** Reads so many bytes, one reader at a time; rejects when the stream ends before. */
function reader(stream: Duplex): (count: number) => Promise<Buffer> {
  let buffered = Buffer.alloc(0)
  let ended = false
  let wake = () => {}
  stream.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk])
    wake()
  })
  for (const end of ['end', 'close', 'error'])
    stream.on(end, () => {
      ended = true
      wake()
    })
  return async (count) => {
    while (buffered.length < count) {
      if (ended) throw new GodHandError('machine_error', 'The connection to the guest’s X server ended.')
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    const taken = buffered.subarray(0, count)
    buffered = buffered.subarray(count)
    return taken
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = new AbortController()
  const timer = delay(ANSWER_MS, undefined, { signal: late.signal }).then(() => {
    throw new GodHandError('timeout', 'The guest’s X server does not answer.')
  })
  try {
    return await Promise.race([work, timer])
  } finally {
    late.abort()
    timer.catch(() => {})
  }
}
