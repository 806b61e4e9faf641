/** X11's numbers for keys, as RFB sends them, in the words of our action schema. */
export type Key =
  | { kind: 'modifier'; name: 'ctrl' | 'shift' | 'alt' | 'super' }
  | { kind: 'character'; text: string }
  | { kind: 'named'; name: string }
  /** Locks and the third level: they change what other keys say, and do nothing by themselves. */
  | { kind: 'silent' }

const modifiers = new Map<number, 'ctrl' | 'shift' | 'alt' | 'super'>([
  [0xffe1, 'shift'],
  [0xffe2, 'shift'],
  [0xffe3, 'ctrl'],
  [0xffe4, 'ctrl'],
  [0xffe7, 'alt'], // Meta
  [0xffe8, 'alt'],
  [0xffe9, 'alt'],
  [0xffea, 'alt'],
  [0xffeb, 'super'],
  [0xffec, 'super'],
])

const named = new Map<number, string>([
  [0xff08, 'BackSpace'],
  [0xff09, 'Tab'],
  [0xfe20, 'Tab'], // with Shift
  [0xff0d, 'Return'],
  [0xff8d, 'Return'], // of the number pad
  [0xff13, 'Pause'],
  [0xff1b, 'Escape'],
  [0xff50, 'Home'],
  [0xff51, 'Left'],
  [0xff52, 'Up'],
  [0xff53, 'Right'],
  [0xff54, 'Down'],
  [0xff55, 'Page_Up'],
  [0xff56, 'Page_Down'],
  [0xff57, 'End'],
  [0xff61, 'Print'],
  [0xff63, 'Insert'],
  [0xff67, 'Menu'],
  [0xffff, 'Delete'],
  ...Array.from({ length: 12 }, (_, n): [number, string] => [0xffbe + n, `F${n + 1}`]),
])

/** The number pad: what it types, and what it does without Num Lock. */
const numberPad = new Map<number, string>([
  ...Array.from({ length: 10 }, (_, n): [number, string] => [0xffb0 + n, String(n)]),
  [0xffaa, '*'],
  [0xffab, '+'],
  [0xffac, ','],
  [0xffad, '-'],
  [0xffae, '.'],
  [0xffaf, '/'],
  [0xffbd, '='],
  [0xff80, ' '],
])
const EURO = 0x20ac
const UNICODE = 0x01000000

export function keyOf(keysym: number): Key {
  const modifier = modifiers.get(keysym)
  if (modifier) return { kind: 'modifier', name: modifier }
  const name = named.get(keysym)
  if (name !== undefined) return { kind: 'named', name }
  const text = textOf(keysym)
  return text === null ? { kind: 'silent' } : { kind: 'character', text }
}

function textOf(keysym: number): string | null {
  const isLatin = (keysym >= 0x20 && keysym <= 0x7e) || (keysym >= 0xa0 && keysym <= 0xff)
  if (isLatin || keysym === EURO) return String.fromCodePoint(keysym)
  const isUnicode = keysym > UNICODE && keysym <= UNICODE + 0x10ffff
  return isUnicode ? String.fromCodePoint(keysym - UNICODE) : (numberPad.get(keysym) ?? null)
}
