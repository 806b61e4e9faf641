import type { ActionInput, Point, Region } from '../../contract/action.ts'

/** For machine tests: a long row of acts with no pause between them, made from a seed, and what should arrive of it. */

export type Torture = { acts: ActionInput[]; expected: string[] }

/** What the program that listens can hear. */
export type Hearing = {
  area: Region
  modifiers: readonly Modifier[]
  buttons: readonly Button[]
  dragButtons: readonly Button[]
  keys: readonly string[]
  /** As the program reports it. */
  click: (button: Button, at: Point, modifiers: Modifier[], count: number) => string[]
  drag: (button: Button, from: Point, to: Point, modifiers: Modifier[]) => string[]
  key: (name: string, modifiers: Modifier[]) => string[]
  text: (text: string) => string[]
  /** Menus and windows of the program itself that no page can keep away. */
  avoid?: (button: Button, modifiers: Modifier[]) => boolean
}

export type Modifier = 'ctrl' | 'shift' | 'alt'
export type Button = 'left' | 'middle' | 'right' | 'back' | 'forward'

/** Farther apart than any program's idea of a double click. */
const APART_PX = 40
const characters = [...'abcdefgXYZ0189.,-_/?!"\'\\`$<>|~ ']
const foreign = 'ünï–日本🙂'

export function torture(seed: number, length: number, hearing: Hearing): Torture {
  const dice = diceFrom(seed)
  const torture: Torture = { acts: [], expected: [] }
  const add = (act: ActionInput, expected: string[]) => {
    torture.acts.push(act)
    torture.expected.push(...expected)
  }
  let last: Point = { x: -100, y: -100 }
  const point = (): Point => {
    const { x, y, width, height } = hearing.area
    const next = { x: dice.whole(x, x + width - 1), y: dice.whole(y, y + height - 1) }
    if (Math.hypot(next.x - last.x, next.y - last.y) < APART_PX) return point()
    last = next
    return next
  }
  const modifiers = () => (dice.chance(0.5) ? [] : hearing.modifiers.filter(() => dice.chance(0.5)))
  const held = (button: Button): Modifier[] => {
    const chosen = modifiers()
    return hearing.avoid?.(button, chosen) ? [] : chosen
  }

  const kinds: (() => void)[] = [
    () => {
      const button = dice.one(hearing.buttons)
      const [at, count, keys] = [point(), dice.whole(1, 3), held(button)]
      add({ type: 'click', at, button, count, modifiers: keys }, hearing.click(button, at, keys, count))
    },
    () => {
      const button = dice.one(hearing.dragButtons)
      const path = [point(), point(), ...(dice.chance(0.3) ? [point()] : [])]
      const keys = held(button)
      const expected = hearing.drag(button, path[0] ?? last, path.at(-1) ?? last, keys)
      add({ type: 'drag', path, button, modifiers: keys }, expected)
    },
    () => {
      const [from, to] = [point(), point()]
      add({ type: 'mouse_down', at: from }, hearing.drag('left', from, to, []))
      add({ type: 'mouse_up', at: to }, [])
    },
    () => {
      const [at, dy, keys] = [point(), dice.one([-6, -3, -1, 1, 2, 5, 8]), modifiers()]
      add({ type: 'scroll', at, dy, modifiers: keys }, [wheel(0, dy, at, keys)])
    },
    () => {
      const [at, dx, keys] = [point(), dice.one([-3, -1, 1, 4]), modifiers()]
      add({ type: 'scroll', at, dx, modifiers: keys }, [wheel(dx, 0, at, keys)])
    },
    () => {
      const [name, keys] = [dice.one(hearing.keys), modifiers()]
      const repeat = dice.whole(1, 3)
      const expected = Array.from({ length: repeat }, () => hearing.key(name, keys)).flat()
      add({ type: 'key', chord: [...keys, name].join('+'), repeat }, expected)
    },
    () => {
      const text = Array.from({ length: dice.whole(1, 12) }, () => dice.one(characters)).join('')
      add({ type: 'type', text }, hearing.text(text))
    },
  ]
  // Clicks are what goes wrong, so they are a third of it; the first acts are one of each kind.
  const [click] = kinds
  for (let n = 0; n < length; n++) (kinds[n] ?? (dice.chance(0.3) ? click : dice.one(kinds)))?.()
  const text = foreign + dice.one(characters)
  add({ type: 'type', text }, hearing.text(text))
  return torture
}

export const down = (button: Button, at: Point, modifiers: Modifier[]) => `down ${button} ${place(at, modifiers)}`
export const up = (button: Button, at: Point, modifiers: Modifier[]) => `up ${button} ${place(at, modifiers)}`
export const dragged = (to: Point, modifiers: Modifier[]) => `dragged to ${place(to, modifiers)}`
export const wheel = (dx: number, dy: number, at: Point, modifiers: Modifier[]) =>
  `wheel ${dx} ${dy} at ${place(at, modifiers)}`

function place(at: Point, modifiers: Modifier[]): string {
  return [`${at.x},${at.y}`, ...modifiers].join(' ')
}

/** Turns of the wheel that follow each other at one place are one: browsers put them together as they like. */
export function mergeTurns(heard: string[]): string[] {
  const turn = /^wheel (-?[\d.]+) (-?[\d.]+) (at .*)$/
  const merged: string[] = []
  for (const line of heard) {
    const [, dx, dy, where] = turn.exec(line) ?? []
    const [, lastX, lastY, lastWhere] = turn.exec(merged.at(-1) ?? '') ?? []
    if (where === undefined || where !== lastWhere) merged.push(line)
    else merged.splice(-1, 1, `wheel ${Number(lastX) + Number(dx)} ${Number(lastY) + Number(dy)} ${where}`)
  }
  return merged
}

/** Always the same numbers for the same seed (mulberry32). */
function diceFrom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    whole,
    chance: (share: number) => next() < share,
    one: <T>(list: readonly T[]): T => list[whole(0, list.length - 1)] as T,
  }
}
