import { Duplex } from 'node:stream'
import { ClientMessages, type Hand, releaseOf } from './rfb-messages.ts'

export type Rules = {
  /** Asked for every message: it changes when a task is taken over or handed back. */
  allows: () => boolean
  /** Told before the machine feels it. */
  onHand: (hand: Hand) => Promise<void>
}

type Callback = (error?: Error | null) => void

/**
 * A live view that only looks unless hands are allowed. What a client sends is read message by message: those that could
 * change the machine are dropped, whatever the client believes. A client that cannot be understood is shown out.
 */
export class GuardedScreen extends Duplex {
  readonly #screen: Duplex
  readonly #rules: Rules
  readonly #messages = new ClientMessages()
  readonly #keys = new Map<number, Buffer>() // pressed, by keysym, as it was said
  #pointer: Buffer | null = null // the last one with a button down

  constructor(screen: Duplex, rules: Rules) {
    super()
    this.#screen = screen
    this.#rules = rules
    screen.on('data', (bytes: Buffer) => {
      if (!this.push(bytes)) screen.pause()
    })
    screen.on('end', () => this.push(null))
    screen.on('close', () => this.destroy())
    screen.on('error', (error) => this.destroy(error))
  }

  /** Nothing stays pressed when the hands are taken away. */
  letGo(): void {
    for (const pressed of this.#keys.values()) this.#screen.write(releaseOf(pressed))
    this.#keys.clear()
    if (this.#pointer) this.#screen.write(releaseOf(this.#pointer))
    this.#pointer = null
  }

  override _read(): void {
    this.#screen.resume()
  }

  override _write(bytes: Buffer, _encoding: string, done: Callback): void {
    this.#pass(bytes).then(() => done(), done)
  }

  override _final(done: Callback): void {
    this.#screen.end()
    done()
  }

  override _destroy(error: Error | null, done: Callback): void {
    this.#screen.destroy()
    done(error)
  }

  async #pass(bytes: Buffer): Promise<void> {
    for (const { bytes: message, input, hand } of this.#messages.read(bytes)) {
      if (input && !this.#rules.allows()) {
        this.letGo()
        continue
      }
      if (hand) {
        await this.#rules.onHand(hand)
        this.#remember(hand, message)
      }
      if (!this.#screen.write(message)) await drained(this.#screen)
    }
  }

  #remember(hand: Hand, message: Buffer): void {
    if (hand.kind === 'pointer') this.#pointer = hand.buttons === 0 ? null : message
    else if (hand.down) this.#keys.set(hand.keysym, message)
    else this.#keys.delete(hand.keysym)
  }
}

async function drained(stream: Duplex): Promise<void> {
  if (stream.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  stream.once('drain', resolve).once('close', resolve)
  await promise
  stream.off('drain', resolve).off('close', resolve)
}
