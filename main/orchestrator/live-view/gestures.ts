import type { Action, Button, Point } from '../../contract/action.ts'
import { keyOf } from './keysyms.ts'
import type { Hand } from './rfb-messages.ts'

/** After so long without a key, what was typed is one thing done. */
const TYPING_MS = 1200
/** Within this a second click belongs to the first, and a notch to the turn of the wheel. */
const AGAIN_MS = 450
/** A pointer that rests where it was moved to is meant to be there. */
const RESTING_MS = 1500
/** A hand that clicks is not quite still. */
const STILL_PX = 5
const LONGEST_PATH = 200

type Modifier = 'ctrl' | 'shift' | 'alt' | 'super'
type Pointer = Extract<Hand, { kind: 'pointer' }>

/** Something under way. It is over at `until` unless more of the same comes. */
type Open = { family: 'keys' | 'click' | 'wheel' | 'move' | 'press'; acts: Action[]; until: number }

const buttons: [bit: number, button: Button][] = [
  [1, 'left'],
  [2, 'middle'],
  [4, 'right'],
]
const notches: [bit: number, dx: number, dy: number][] = [
  [8, 0, -1],
  [16, 0, 1],
  [32, -1, 0],
  [64, 1, 0],
]

/**
 * Makes acts of what hands do: clicks, drags, turns of the wheel, text and chords, and a move where the pointer was only
 * brought somewhere. Knows no clock and no machine: whoever feeds it says when things happened.
 */
export class Gestures {
  #open: Open | null = null
  #pressed: { button: Button; path: Point[] } | null = null
  #buttons = 0
  #held = new Map<number, Modifier>() // by keysym
  #alone: number | null = null // a modifier that was pressed with nothing else so far

  /** Whether this begins something new: then the screen before it matters. */
  begins(hand: Hand, now: number): boolean {
    if (hand.kind === 'key') {
      const key = keyOf(hand.keysym)
      return hand.down && key.kind !== 'modifier' && key.kind !== 'silent' && !this.#goesOn('keys', now)
    }
    const fresh = hand.buttons & ~this.#buttons
    if (fresh === 0) return false
    const family = notches.some(([bit]) => fresh & bit) ? 'wheel' : 'click'
    return !(this.#goesOn(family, now) && this.#isSameSpot(hand))
  }

  /** What was finished by this, in the order it was done: at most what was open and what this is by itself. */
  take(hand: Hand, now: number): Action[][] {
    return hand.kind === 'key' ? this.#takeKey(hand.keysym, hand.down, now) : this.#takePointer(hand, now)
  }

  /** When what is open counts as over; null while nothing is, or a button is down. */
  get due(): number | null {
    return this.#open && this.#open.family !== 'press' ? this.#open.until : null
  }

  get typed(): string {
    const last = this.#open?.acts.at(-1)
    return last?.type === 'type' ? last.text : ''
  }

  /** Something else comes next. A pointer that was only on its way there has done nothing by itself. */
  interrupt(): Action[][] {
    if (this.#open?.family === 'move') this.#open = null
    return this.finish()
  }

  /** Ends what is open. */
  finish(): Action[][] {
    const open = this.#open
    this.#open = null
    this.#pressed = null
    return open && open.acts.length > 0 ? [open.acts] : []
  }

  #takeKey(keysym: number, down: boolean, now: number): Action[][] {
    const key = keyOf(keysym)
    if (key.kind === 'silent') return []
    if (key.kind === 'modifier') {
      if (down) this.#held.set(keysym, key.name)
      else this.#held.delete(keysym)
      const tapped = !down && this.#alone === keysym && (key.name === 'super' || key.name === 'alt')
      this.#alone = down && this.#held.size === 1 ? keysym : null
      return tapped ? this.#addKey(key.name, now) : []
    }
    this.#alone = null
    if (!down) return []
    const held = this.#modifiers()
    if (key.kind === 'named' && key.name === 'BackSpace' && held.length === 0 && this.#takeBack(now)) return []
    if (key.kind === 'character' && held.every((name) => name === 'shift')) return this.#addText(key.text, now)
    if (key.kind === 'named' && key.name === 'Return' && held.length === 0) return this.#addReturn(now)
    const name = key.kind === 'named' ? key.name : key.text === ' ' ? 'space' : key.text.toLowerCase()
    return this.#addKey(
      [...held, name].join('+'),
      now,
      held.some((one) => one !== 'shift'),
    )
  }

  #addText(text: string, now: number): Action[][] {
    const finished = this.#begin('keys', now)
    const acts = this.#acts()
    const last = acts.at(-1)
    if (last?.type === 'type') acts[acts.length - 1] = { ...last, text: last.text + text }
    else acts.push({ type: 'type', text })
    this.#until(now + TYPING_MS)
    return finished
  }

  /** A slip that is mended at once was never meant: what is recorded is what stands there in the end. */
  #takeBack(now: number): boolean {
    const { typed } = this
    if (typed === '') return false
    const acts = this.#acts()
    acts.pop()
    const text = [...typed].slice(0, -1).join('')
    if (text !== '') acts.push({ type: 'type', text })
    this.#until(now + TYPING_MS)
    return true
  }

  /** What Enter sets off deserves a step of its own: it ends what was typed. */
  #addReturn(now: number): Action[][] {
    const finished = this.#begin('keys', now)
    const acts = this.#acts()
    const last = acts.at(-1)
    if (last?.type === 'type') acts[acts.length - 1] = { ...last, text: `${last.text}\n` }
    else acts.push({ type: 'key', chord: 'Return', repeat: 1 })
    return [...finished, ...this.finish()]
  }

  #addKey(chord: string, now: number, ends = false): Action[][] {
    const finished = this.#begin('keys', now)
    const acts = this.#acts()
    const last = acts.at(-1)
    if (last?.type === 'key' && last.chord === chord && last.repeat < 100)
      acts[acts.length - 1] = { ...last, repeat: last.repeat + 1 }
    else acts.push({ type: 'key', chord, repeat: 1 })
    this.#until(now + TYPING_MS)
    return ends ? [...finished, ...this.finish()] : finished
  }

  #takePointer(hand: Pointer, now: number): Action[][] {
    const pressed = hand.buttons & ~this.#buttons
    const released = this.#buttons & ~hand.buttons
    this.#buttons = hand.buttons
    if (pressed || released) this.#alone = null
    const notch = notches.find(([bit]) => pressed & bit)
    if (notch) return this.#turn(hand, notch, now)
    const button = buttons.find(([bit]) => pressed & bit)?.[1]
    if (button && !this.#pressed) return this.#press(hand, button, now)
    if (this.#pressed) {
      this.#pressed.path.push({ x: hand.x, y: hand.y })
      const bit = buttons.find(([, name]) => name === this.#pressed?.button)?.[0] ?? 0
      if (released & bit) this.#release(this.#pressed.button, this.#pressed.path, now)
      return []
    }
    return released ? [] : this.#move(hand, now)
  }

  #press(at: Pointer, button: Button, now: number): Action[][] {
    const again = this.#goesOn('click', now) && this.#isSameSpot(at) && this.#clickCount(button) < 3
    const finished = again ? [] : this.interrupt()
    this.#open ??= { family: 'press', acts: [], until: now }
    this.#open.family = 'press'
    this.#pressed = { button, path: [{ x: at.x, y: at.y }] }
    return finished
  }

  #release(button: Button, path: Point[], now: number): void {
    this.#pressed = null
    const open = this.#open
    const [from] = path
    if (!open || !from) return
    open.family = 'click'
    open.until = now + AGAIN_MS
    const modifiers = this.#modifiers()
    const held = modifiers.length > 0 ? { modifiers } : {}
    if (path.some((point) => distance(point, from) > STILL_PX)) {
      open.acts.push({ type: 'drag', path: thinned(path), button, ...held })
      open.until = now
      return
    }
    const count = this.#clickCount(button) + 1
    if (count > 1) open.acts.pop()
    open.acts.push({ type: 'click', at: from, button, count, ...held })
  }

  #clickCount(button: Button): number {
    const last = this.#open?.acts.at(-1)
    return last?.type === 'click' && last.button === button ? last.count : 0
  }

  #turn(at: Pointer, [, dx, dy]: (typeof notches)[number], now: number): Action[][] {
    const finished = this.#goesOn('wheel', now) && this.#isSameSpot(at) ? [] : this.interrupt()
    const last = this.#open?.acts.at(-1)
    const modifiers = this.#modifiers()
    const turned = last?.type === 'scroll' ? last : { dx: 0, dy: 0, ...(modifiers.length > 0 ? { modifiers } : {}) }
    const scroll: Action = {
      ...turned,
      type: 'scroll',
      at: { x: at.x, y: at.y },
      dx: bounded(turned.dx + dx),
      dy: bounded(turned.dy + dy),
    }
    this.#open = { family: 'wheel', acts: [scroll], until: now + AGAIN_MS }
    return finished
  }

  /** On the way to something else it is no act of its own. */
  #move({ x, y }: Pointer, now: number): Action[][] {
    if (this.#open && this.#open.family !== 'move') {
      if (now < this.#open.until) return []
      const finished = this.finish()
      this.#open = { family: 'move', acts: [{ type: 'move', to: { x, y } }], until: now + RESTING_MS }
      return finished
    }
    this.#open = { family: 'move', acts: [{ type: 'move', to: { x, y } }], until: now + RESTING_MS }
    return []
  }

  #begin(family: Open['family'], now: number): Action[][] {
    const finished = this.#goesOn(family, now) ? [] : this.interrupt()
    this.#open ??= { family, acts: [], until: now }
    return finished
  }

  /** Typing goes on until somebody says that it is finished: in the middle of a word people think. */
  #goesOn(family: Open['family'], now: number): boolean {
    return this.#open?.family === family && (family === 'keys' || now <= this.#open.until)
  }

  #isSameSpot(at: Point): boolean {
    const last = this.#open?.acts.at(-1)
    const spot = last && 'at' in last ? last.at : undefined
    return spot !== undefined && distance(spot, at) <= STILL_PX
  }

  #acts(): Action[] {
    return this.#open?.acts ?? []
  }

  #until(time: number): void {
    if (this.#open) this.#open.until = time
  }

  #modifiers(): Modifier[] {
    return [...new Set(this.#held.values())]
  }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

const bounded = (count: number) => Math.max(-100, Math.min(100, count))

/** Its beginning, its end, and enough between to show the way. */
function thinned(path: Point[]): Point[] {
  const every = Math.ceil(path.length / LONGEST_PATH)
  const kept = path.filter((_, index) => index % every === 0 || index === path.length - 1)
  const different = kept.filter((point, index) => index === 0 || distance(point, kept[index - 1] ?? point) > 0)
  return different.length > 1 ? different : [...different, ...different]
}
