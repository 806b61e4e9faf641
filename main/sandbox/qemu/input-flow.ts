import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Point } from '../../contract/action.ts'
import { GodHandError } from '../../contract/errors.ts'
import type { InputEvent } from '../sandbox.ts'
import type { DisplayLink } from './display-link.ts'
import { GuestLamps } from './guest-lamps.ts'
import { type Device, inSteps, type Step, stateButton, toQmpInput } from './input-events.ts'
import { until } from './patience.ts'
import type { Qmp } from './qmp.ts'

const Devices = z.array(z.object({ name: z.string(), path: z.string() }))
const Ring = z.object({ avail: z.object({ idx: z.number() }), used: z.object({ idx: z.number() }) })

/** Longer than any guest that still lives stands still. */
const PATIENCE_MS = 20_000
/** How long a window manager may think about a click: after a change of the keyboard's map, openbox takes many seconds. */
const POINTER_PATIENCE_MS = 20_000
/** The same once it was in vain: a program keeps the pointer to itself, or somebody else moves it, too. */
const DOUBTED_POINTER_MS = 500
/** Entries the guest's kernel may hold for its display server, of 64, before we make sure that they were read. */
const UNREAD_ENTRIES = 48
/** What takes the place of a fact where neither lamps nor display tell anything. */
const BLIND_PAUSE_MS = 250
/** Devices without virtio hold a handful of events and tell nobody when they were read. */
const OLD_DEVICE_PAUSE_MS = 25

export type InputFlowOptions = {
  screen: () => { width: number; height: number }
  virtio?: boolean
  display?: Pick<DisplayLink, 'pointer'> | null
}

/**
 * Keyboard and mouse events that arrive, in order. A busy guest spoils them in four places, and each has its remedy:
 *
 * - QEMU drops what finds no free buffer in a virtio device's queue: we wait until the queue is empty.
 * - The guest's kernel drops what its display server has not read in time: before that, we make sure that it was.
 * - Keyboard and tablet are two devices, and the server reads them in any order: before the one is used, what was sent
 *   to the other must have been read.
 * - A window manager that focuses windows by clicks has the server hold the pointer at each press until it has answered.
 *   What the server lays by meanwhile it gives out with the place and the modifiers of later, and drops a release when
 *   the button is down again: after a click nothing is sent before the server says that it has dealt with it.
 *
 * That the server has read the keyboard is seen by its lamps; of the pointer, the server itself is asked.
 */
export class InputFlow {
  readonly #qmp: Pick<Qmp, 'execute'>
  readonly #screen: () => { width: number; height: number }
  readonly #display: Pick<DisplayLink, 'pointer'> | null
  #devices: Promise<string[]> | null = null
  #lamps: GuestLamps | null = null
  readonly #given = new Map<string, number>()
  /** Entries that the display server may not have read. */
  readonly #unread: Record<Device, number> = { keyboard: 0, tablet: 0 }
  /** Where the tablet's events leave the pointer, once the server has dealt with them. */
  #at: Point | null = null
  #buttons = 0
  /** Its states since the server was last known to have dealt with everything, the latest left out. */
  readonly #states = new Set<string>()
  /** The last button event that the server may not have dealt with, and whether the pointer was moved after a press. */
  #clicked: 'down' | 'dragged' | 'up' | null = null
  /** Something was sent that leaves no trace in the pointer's state: a turn of the wheel. */
  #traceless = false
  #pointerPatience = POINTER_PATIENCE_MS
  #turn: Promise<unknown> = Promise.resolve()

  constructor(qmp: Pick<Qmp, 'execute'>, { screen, virtio = true, display = null }: InputFlowOptions) {
    this.#qmp = qmp
    this.#screen = screen
    this.#display = display
    if (!virtio) this.#devices = Promise.resolve([])
  }

  /** Returns when the guest's drivers have taken every event. Calls are served one after the other. */
  send(events: InputEvent[]): Promise<void> {
    return this.#inTurn(async () => {
      if ((await this.#paths()).length === 0) return this.#sendSlowly(events)
      for (const step of inSteps(events)) {
        await this.#makeWay(step)
        await this.#put(step.moments)
        this.#note(step)
        // The rest of the way only when the press is no longer held.
        if (this.#clicked === 'dragged') await this.#read('tablet')
      }
    })
  }

  /** Until the guest's display server has dealt with all that was sent. */
  done(): Promise<void> {
    return this.#inTurn(async () => {
      for (const device of ['tablet', 'keyboard'] as const) if (this.#unread[device] > 0) await this.#read(device)
    })
  }

  async #makeWay(step: Step): Promise<void> {
    const other = step.device === 'keyboard' ? 'tablet' : 'keyboard'
    const mayBeHeld = other === 'tablet' && this.#clicked === 'down'
    if (this.#unread[other] > 0) await this.#read(other)
    // That a button is down is seen at once, though the press may be held: only a motion after it would prove more.
    if (mayBeHeld) await delay(BLIND_PAUSE_MS)
    const full = this.#unread[step.device] + step.entries > UNREAD_ENTRIES
    const pressed = this.#clicked === 'down' && step.moments[0]?.[0]?.kind === 'button'
    if (full || (step.device === 'tablet' && (this.#clicked === 'up' || pressed))) await this.#read(step.device)
  }

  #note(step: Step): void {
    this.#unread[step.device] += step.entries
    if (step.device === 'keyboard') return
    for (const moment of step.moments) {
      this.#states.add(this.#state())
      for (const event of moment) {
        if (event.kind === 'move') {
          this.#at = event.to
          if (this.#clicked === 'down') this.#clicked = 'dragged'
        }
        if (event.kind === 'wheel') this.#traceless = true
        if (event.kind !== 'button') continue
        this.#clicked = event.down ? 'down' : 'up'
        const bit = stateButton(event.button)
        if (bit === 0) this.#traceless = true
        this.#buttons = event.down ? this.#buttons | bit : this.#buttons & ~bit
      }
    }
  }

  #state(): string {
    return `${this.#at?.x},${this.#at?.y} ${this.#buttons}`
  }

  /** Until the display server has read, and for the pointer dealt with, what was sent to this device. */
  async #read(device: Device): Promise<void> {
    if (device === 'keyboard') {
      if (!(await this.#witness(false))) await delay(BLIND_PAUSE_MS)
    } else {
      // Where the pointer has been before, as it has after a click on the spot, its state says nothing of what was read.
      const traceless = this.#traceless || this.#states.has(this.#state())
      const witnessed = traceless && (await this.#witness(true))
      const arrived = await this.#pointerArrived()
      const read = traceless ? witnessed : arrived || (await this.#witness(true))
      if (!read || (!arrived && this.#clicked !== null)) await delay(BLIND_PAUSE_MS)
      this.#states.clear()
      this.#traceless = false
      this.#clicked = null
    }
    this.#unread[device] = 0
  }

  async #pointerArrived(): Promise<boolean> {
    const display = this.#display
    if (display === null) return false
    let silent = false
    const arrived = await until(async () => {
      const pointer = await display.pointer()
      if (pointer === null) silent = true
      if (pointer === null || pointer.buttons !== this.#buttons) return silent
      return this.#at === null || (pointer.at.x === this.#at.x && pointer.at.y === this.#at.y)
    }, this.#pointerPatience)
    this.#pointerPatience = arrived ? POINTER_PATIENCE_MS : DOUBTED_POINTER_MS
    return arrived && !silent
  }

  async #witness(alsoTablet: boolean): Promise<boolean> {
    if (this.#lamps === null) {
      // Of the virtio input devices the keyboard is the one with lamps; it is the first on our command line.
      const [keyboard = ''] = await this.#paths()
      this.#lamps = new GuestLamps(this.#qmp, keyboard, (events) => this.#put(events.map((event) => [event])))
    }
    return this.#lamps.witness(alsoTablet)
  }

  /** The guest sees a command's events as one moment. */
  async #put(moments: InputEvent[][]): Promise<void> {
    await Promise.all(moments.map((events) => this.#command(events)))
    for (const path of await this.#paths()) await this.#drained(path)
  }

  #command(events: InputEvent[]): Promise<unknown> {
    const screen = this.#screen()
    return this.#qmp.execute('input-send-event', { events: events.flatMap((event) => toQmpInput(event, screen)) })
  }

  async #sendSlowly(events: InputEvent[]): Promise<void> {
    for (const event of events) {
      await this.#command([event])
      await delay(OLD_DEVICE_PAUSE_MS)
    }
  }

  /** Until the guest's driver has taken all and given the buffers back. */
  async #drained(path: string): Promise<void> {
    const empty = await until(async () => {
      const { avail, used } = Ring.parse(await this.#qmp.execute('x-query-virtio-queue-element', { path, queue: 0 }))
      const free = (avail.idx - used.idx + 0x10000) % 0x10000
      // The guest fills the queue when it starts: the most ever seen is all of it.
      const given = Math.max(free, this.#given.get(path) ?? 0)
      this.#given.set(path, given)
      return free === given
    }, PATIENCE_MS)
    if (!empty)
      throw new GodHandError('timeout', 'The guest does not read its keyboard and mouse.', {
        hint: 'It may hang: look at its screen, or restore a snapshot.',
      })
  }

  #paths(): Promise<string[]> {
    this.#devices ??= this.#qmp
      .execute('x-query-virtio')
      .then((answer) => Devices.parse(answer).filter(({ name }) => name === 'virtio-input'))
      .then((devices) => devices.map(({ path }) => path))
    return this.#devices
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => {})
    return result
  }
}
