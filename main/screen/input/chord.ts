import { GodHandError } from '../../contract/errors.ts'
import { isModifier, namedKey, namedSymbol } from './key-names.ts'
import { strokeFor } from './us-layout.ts'

/** Keys pressed together: in the order they go down, and up again in reverse. */
export type Chord = string[]

/**
 * "ctrl+shift+t", "Return", "ctrl++", "XF86AudioPlay" → the keys. Several chords may follow each other with spaces
 * between ("Down Down Return"). Beside ctrl, alt or super a capital letter means its key ("Ctrl+C" is no ctrl+shift+c);
 * alone it means the capital.
 */
export function parseChords(text: string): Chord[] {
  if (text.trim() === '') {
    if (text.includes(' ')) return [['spc']]
    throw unknown(text, text)
  }
  if (namedKey(text) !== undefined || namedSymbol(text) !== undefined) return [parseChord(text)]
  // "ctrl + c" and "ctrl+ " mean one chord.
  return text
    .replace(/(?<=[^\s+])\s*\+\s*(?=[^\s+])/g, '+')
    .replace(/\+\s+$/, '+space')
    .trim()
    .split(/\s+/)
    .map(parseChord)
}

export function parseChord(text: string): Chord {
  const names = splitNames(text)
  const keys: string[] = []
  const add = (code: string) => {
    if (!keys.includes(code)) keys.push(code)
  }
  const besideCommand = names.some((name) => {
    const code = namedKey(name)
    return code !== undefined && isModifier(code) && !code.startsWith('shift')
  })
  for (const name of names) {
    const character = [...name].length === 1 ? name : (namedSymbol(name) ?? undefined)
    const stroke = character === undefined ? undefined : strokeFor(character)
    if (stroke !== undefined) {
      const capital = /^[A-Z]$/.test(name)
      if (stroke.shift && !(capital && besideCommand) && !keys.includes('shift_r')) add('shift')
      add(stroke.code)
      continue
    }
    const code = namedKey(name)
    if (code === undefined) throw unknown(name, text)
    add(code)
  }
  // Modifiers first, whatever order they were written in: a key pressed before its modifier is another chord.
  return [...keys.filter(isModifier), ...keys.filter((key) => !isModifier(key))]
}

/** Splits at plus signs that stand between names; a plus with nothing before or after it is the key itself. */
function splitNames(text: string): string[] {
  if (text === '+') return ['+']
  const body = text.endsWith('++') ? text.slice(0, -2) : text.endsWith('+') ? text.slice(0, -1) : text
  const last = text === body ? [] : ['+']
  const names = [...body.split('+'), ...last]
  if (names.some((name) => name === '')) throw unknown(text, text)
  return names
}

/** The keys held during a mouse action. */
export function modifierKeys(names: string[] | undefined): string[] {
  return (names ?? []).flatMap((name) =>
    parseChord(name).map((code) => {
      if (!isModifier(code))
        throw new GodHandError('bad_request', `“${name}” is not a key that can be held during a mouse action.`, {
          hint: 'Use ctrl, shift, alt or super.',
        })
      return code
    }),
  )
}

function unknown(name: string, text: string): GodHandError {
  return new GodHandError('bad_request', `There is no key called “${name}”${name === text ? '' : ` (in “${text}”)`}.`, {
    hint: 'Use names like Return, Escape, Page_Down, F5, ctrl+shift+t. To write text, use the type action.',
  })
}
