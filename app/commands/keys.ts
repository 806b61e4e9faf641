/** Shortcuts as text: "mod+k", "shift+d", "?", "g t". Parsed here, and nowhere else. */

export type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

const isMac = (platform = globalThis.navigator?.platform ?? '') => /^(Mac|iP)/.test(platform)

/** One press in the words of a shortcut; null for a modifier alone. */
export function chordOf(press: Press, mac = isMac()): string | null {
  if (['Control', 'Meta', 'Alt', 'Shift', 'AltGraph', 'Dead', 'Process'].includes(press.key)) return null
  const mod = mac ? press.metaKey : press.ctrlKey
  const other = mac ? press.ctrlKey : press.metaKey
  const letter = /^[a-z]$/i.test(press.key)
  const named = press.key.length > 1
  const key = press.key === ' ' ? 'space' : press.key.toLowerCase()
  return [
    other ? 'other' : '', // no shortcut of ours has it, so that nothing fits
    mod ? 'mod' : '',
    press.altKey ? 'alt' : '',
    // A "?" is one with or without Shift, as the keyboard has it; a letter or a named key is not.
    press.shiftKey && (letter || named) ? 'shift' : '',
    key,
  ]
    .filter(Boolean)
    .join('+')
}

/** What is left to press after these chords: [] when it is complete, null when they lead elsewhere. */
export function restOf(shortcut: string, pressed: readonly string[]): string[] | null {
  const chords = shortcut.split(' ')
  return pressed.every((chord, index) => chord === chords[index]) ? chords.slice(pressed.length) : null
}

const names: Record<string, string> = {
  enter: 'Enter',
  escape: 'Esc',
  space: 'Space',
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
}

/** For people: one list of keys for each press. */
export function keysOf(shortcut: string, mac = isMac()): string[][] {
  const nameOf = (key: string) => {
    if (key === 'mod') return mac ? '⌘' : 'Ctrl'
    if (key === 'alt') return mac ? '⌥' : 'Alt'
    if (key === 'shift') return mac ? '⇧' : 'Shift'
    return names[key] ?? (key.length === 1 ? key.toUpperCase() : key)
  }
  return shortcut.split(' ').map((chord) => chord.split('+').map(nameOf))
}

/** "Ctrl + K": in one line, for a title. */
export const keyText = (shortcut: string): string =>
  keysOf(shortcut)
    .map((keys) => keys.join(' + '))
    .join(', ')
