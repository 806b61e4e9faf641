/** Which key of a US keyboard gives a character, and whether shift is held for it. The guest's layout is US. */
export type Stroke = { code: string; shift: boolean }

const strokes = new Map<string, Stroke>()

for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
  strokes.set(letter, { code: letter, shift: false })
  strokes.set(letter.toUpperCase(), { code: letter, shift: true })
}
for (const [index, symbol] of [...')!@#$%^&*('].entries()) {
  strokes.set(String(index), { code: String(index), shift: false })
  strokes.set(symbol, { code: String(index), shift: true })
}
for (const [code, unshifted, shifted] of [
  ['minus', '-', '_'],
  ['equal', '=', '+'],
  ['bracket_left', '[', '{'],
  ['bracket_right', ']', '}'],
  ['backslash', '\\', '|'],
  ['semicolon', ';', ':'],
  ['apostrophe', "'", '"'],
  ['grave_accent', '`', '~'],
  ['comma', ',', '<'],
  ['dot', '.', '>'],
  ['slash', '/', '?'],
] as const) {
  strokes.set(unshifted, { code, shift: false })
  strokes.set(shifted, { code, shift: true })
}
strokes.set(' ', { code: 'spc', shift: false })
strokes.set('\n', { code: 'ret', shift: false })
strokes.set('\t', { code: 'tab', shift: false })

export function strokeFor(character: string): Stroke | undefined {
  return strokes.get(character)
}
