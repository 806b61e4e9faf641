import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { GodHandError } from '../../contract/errors.ts'
import type { InputEvent } from '../sandbox.ts'
import { toQmpInput } from './input-events.ts'
import type { Qmp } from './qmp.ts'

const Devices = z.array(z.object({ name: z.string(), path: z.string() }))
const Ring = z.object({ avail: z.object({ idx: z.number() }), used: z.object({ idx: z.number() }) })
const Status = z.object({ 'used-idx': z.number() })

/** Longer than any guest that still lives stands still. */
const PATIENCE_MS = 20_000
/** Entries a batch may need in a device's queue of 64. */
const BATCH_EVENTS = 12
/** Entries the guest's kernel may hold for its display server, of 64, before we make sure that they were read. */
const UNREAD_ENTRIES = 48
/** What the same costs where the guest's lamps tell nothing. */
const BLIND_PAUSE_MS = 250
/** Devices without virtio hold a handful of events and tell nobody when they were read. */
const OLD_DEVICE_PAUSE_MS = 25

/**
 * Keyboard and mouse events that arrive. There are two places where a busy guest loses them silently: QEMU drops what
 * finds no free buffer in a virtio device's queue, and the guest's kernel drops what its display server has not read in
 * time. Against the first we wait until the queue is empty. Against the second, from time to time, Num Lock is pressed
 * twice, and the lamp's change, which comes back through the device's status queue, proves that all before it was read.
 */
export class InputFlow {
  readonly #qmp: Qmp
  readonly #screen: () => { width: number; height: number }
  #devices: Promise<string[]> | null = null
  #keyboard: Promise<string | null> | null = null
  readonly #given = new Map<string, number>()
  #unread = 0
  #lampFailures = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(qmp: Qmp, screen: () => { width: number; height: number }, virtio = true) {
    this.#qmp = qmp
    if (!virtio) this.#devices = Promise.resolve([])
    this.#screen = screen
  }

  /** Returns when the guest's drivers have taken every event. Calls are served one after the other. */
  send(events: InputEvent[]): Promise<void> {
    const result = this.#turn.then(() => this.#send(events))
    this.#turn = result.catch(() => {})
    return result
  }

  async #send(events: InputEvent[]): Promise<void> {
    for (let from = 0; from < events.length; from += BATCH_EVENTS) {
      const batch = events.slice(from, from + BATCH_EVENTS)
      const entries = batch.reduce((sum, event) => sum + (event.kind === 'key' || event.kind === 'button' ? 2 : 4), 0)
      if (this.#unread + entries > UNREAD_ENTRIES) await this.#allRead()
      await this.#put(batch)
      this.#unread += entries
    }
  }

  async #put(events: InputEvent[]): Promise<void> {
    this.#devices ??= this.#find()
    const devices = await this.#devices
    const send = (event: InputEvent) =>
      this.#qmp.execute('input-send-event', { events: toQmpInput(event, this.#screen()) })
    if (devices.length === 0) {
      for (const event of events) {
        await send(event)
        await delay(OLD_DEVICE_PAUSE_MS)
      }
      return
    }
    // The guest sees a command's events as one moment: a key must be down in one and up in another.
    await Promise.all(events.map(send))
    for (const path of devices) await this.#drained(path)
  }

  /** Until the guest's driver has taken all and given the buffers back. */
  async #drained(path: string): Promise<void> {
    await this.#until(async () => {
      const { avail, used } = Ring.parse(await this.#qmp.execute('x-query-virtio-queue-element', { path, queue: 0 }))
      const free = (avail.idx - used.idx + 0x10000) % 0x10000
      // The guest fills the queue when it starts: the most ever seen is all of it.
      const given = Math.max(free, this.#given.get(path) ?? 0)
      this.#given.set(path, given)
      return free === given
    }, PATIENCE_MS)
  }

  /** Until the guest's display server has read all that was sent. */
  async #allRead(): Promise<void> {
    this.#unread = 0
    this.#keyboard ??= this.#findKeyboard()
    const keyboard = await this.#keyboard
    if (keyboard === null || this.#lampFailures >= 3) return delay(BLIND_PAUSE_MS)
    const before = await this.#lampChanges(keyboard)
    const press = (down: boolean): InputEvent => ({ kind: 'key', code: 'num_lock', down })
    await this.#put([press(true), press(false), press(true), press(false)])
    const changed = async () => ((await this.#lampChanges(keyboard)) - before + 0x10000) % 0x10000 >= 2
    try {
      await this.#until(changed, this.#lampFailures === 0 ? 5000 : 1000)
      this.#lampFailures = 0
    } catch {
      this.#lampFailures++
    }
  }

  async #until(done: () => Promise<boolean>, patienceMs: number): Promise<void> {
    const deadline = performance.now() + patienceMs
    for (let wait = 1; !(await done()); wait = Math.min(wait * 2, 20)) {
      if (performance.now() > deadline)
        throw new GodHandError('timeout', 'The guest does not read its keyboard and mouse.', {
          hint: 'It may hang: look at its screen, or restore a snapshot.',
        })
      await delay(wait)
    }
  }

  async #lampChanges(path: string): Promise<number> {
    return Status.parse(await this.#qmp.execute('x-query-virtio-queue-status', { path, queue: 1 }))['used-idx']
  }

  async #find(): Promise<string[]> {
    const devices = Devices.parse(await this.#qmp.execute('x-query-virtio'))
    return devices.filter(({ name }) => name === 'virtio-input').map(({ path }) => path)
  }

  /** Of the virtio input devices the one with lamps; it is the first on our command line. */
  async #findKeyboard(): Promise<string | null> {
    this.#devices ??= this.#find()
    return (await this.#devices)[0] ?? null
  }
}
