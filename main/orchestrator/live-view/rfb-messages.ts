/** What a person does in a live view, as RFB tells it: a key by its keysym, or the pointer with its buttons as bits. */
export type Hand =
  | { kind: 'key'; keysym: number; down: boolean }
  | { kind: 'pointer'; buttons: number; x: number; y: number }

/**
 * One message of a client. `input` is whatever could change the machine: keys and pointer, but also its clipboard, the size
 * of its screen and its power.
 */
export type ClientMessage = { bytes: Buffer; input: boolean; hand: Hand | null }

export class UnreadableMessage extends Error {}

const SET_PIXEL_FORMAT = 0
const SET_ENCODINGS = 2
const UPDATE_REQUEST = 3
const KEY = 4
const POINTER = 5
const CUT_TEXT = 6
const CONTINUOUS_UPDATES = 150
const FENCE = 248
const POWER = 250 // xvp
const DESKTOP_SIZE = 251
const QEMU = 255
const QEMU_KEY = 0
const QEMU_AUDIO = 1

const NO_AUTHENTICATION = 1
/** Nobody pastes more than this, and without a bound one message could hold all memory. */
const LONGEST = 16 * 1024 * 1024

/** Cuts the bytes of a client into its messages, as they come: greeting first. Throws on what it cannot read. */
export class ClientMessages {
  #rest: Buffer = Buffer.alloc(0)
  #stage: 'version' | 'security' | 'init' | 'messages' = 'version'

  read(bytes: Buffer): ClientMessage[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const messages: ClientMessage[] = []
    for (;;) {
      const length = this.#length(this.#rest)
      if (length === null || this.#rest.length < length) return messages
      const whole = this.#rest.subarray(0, length)
      this.#rest = this.#rest.subarray(length)
      messages.push(this.#stage === 'messages' ? understood(whole) : this.#greeting(whole))
    }
  }

  #greeting(bytes: Buffer): ClientMessage {
    if (this.#stage === 'version') {
      const version = /^RFB (\d{3}\.\d{3})\n$/.exec(bytes.toString('latin1'))?.[1]
      if (version === undefined) throw new UnreadableMessage('this is no live view')
      this.#stage = version === '003.003' ? 'init' : 'security'
    } else if (this.#stage === 'security') {
      if (bytes[0] !== NO_AUTHENTICATION) throw new UnreadableMessage('the live view asks for another way in')
      this.#stage = 'init'
    } else this.#stage = 'messages'
    return { bytes, input: false, hand: null }
  }

  /** Null: not to be told yet. */
  #length(bytes: Buffer): number | null {
    if (this.#stage !== 'messages') return this.#stage === 'version' ? 12 : 1
    const length = lengthOf(bytes)
    if (length !== null && length > LONGEST) throw new UnreadableMessage('a message is too long')
    return length
  }
}

function lengthOf(bytes: Buffer): number | null {
  const has = (count: number) => bytes.length >= count
  switch (bytes[0]) {
    case undefined:
      return null
    case SET_PIXEL_FORMAT:
      return 20
    case SET_ENCODINGS:
      return has(4) ? 4 + 4 * bytes.readUInt16BE(2) : null
    case UPDATE_REQUEST:
    case CONTINUOUS_UPDATES:
      return 10
    case KEY:
      return 8
    case POINTER:
      return 6
    case CUT_TEXT:
      return has(8) ? 8 + Math.abs(bytes.readInt32BE(4)) : null // below zero: the extended clipboard
    case FENCE:
      return has(9) ? 9 + bytes.readUInt8(8) : null
    case POWER:
      return 4
    case DESKTOP_SIZE:
      return has(8) ? 8 + 16 * bytes.readUInt8(6) : null
    case QEMU:
      return qemuLength(bytes)
  }
  throw new UnreadableMessage(`a message of kind ${bytes[0]} is not known`)
}

function qemuLength(bytes: Buffer): number | null {
  if (bytes.length < 4) return null
  if (bytes[1] === QEMU_KEY) return 12
  if (bytes[1] === QEMU_AUDIO) return bytes.readUInt16BE(2) === 2 ? 10 : 4
  throw new UnreadableMessage(`a message of kind 255/${bytes[1]} is not known`)
}

function understood(bytes: Buffer): ClientMessage {
  switch (bytes[0]) {
    case KEY: {
      const hand: Hand = { kind: 'key', down: bytes[1] !== 0, keysym: bytes.readUInt32BE(4) }
      return { bytes, input: true, hand }
    }
    case POINTER: {
      const hand: Hand = {
        kind: 'pointer',
        buttons: bytes.readUInt8(1),
        x: bytes.readUInt16BE(2),
        y: bytes.readUInt16BE(4),
      }
      return { bytes, input: true, hand }
    }
    case QEMU: {
      if (bytes[1] !== QEMU_KEY) return { bytes, input: false, hand: null }
      const hand: Hand = { kind: 'key', down: bytes.readUInt16BE(2) !== 0, keysym: bytes.readUInt32BE(4) }
      return { bytes, input: true, hand }
    }
    case CUT_TEXT:
    case POWER:
    case DESKTOP_SIZE:
      return { bytes, input: true, hand: null }
  }
  return { bytes, input: false, hand: null }
}

/** The message that lets go of what `pressed` pressed. */
export function releaseOf(pressed: Buffer): Buffer {
  const bytes = Buffer.from(pressed)
  if (bytes[0] === QEMU) bytes.writeUInt16BE(0, 2)
  else bytes.writeUInt8(0, 1) // a key's flag, or the pointer's buttons
  return bytes
}
