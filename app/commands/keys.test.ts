import { expect, it } from 'vitest'
import { chordOf, keysOf, type Press, restOf } from './keys.ts'

const press = (key: string, held: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

it('says a press in the words of a shortcut, on either kind of keyboard', () => {
  expect(chordOf(press('k', { ctrlKey: true }), false)).toBe('mod+k')
  expect(chordOf(press('k', { metaKey: true }), true)).toBe('mod+k')
  expect(chordOf(press('K', { ctrlKey: true, shiftKey: true }), false)).toBe('mod+shift+k')
  expect(chordOf(press('Enter', { shiftKey: true }), false)).toBe('shift+enter')
})

it('takes a sign as a sign, however many keys the layout needs for it', () => {
  expect(chordOf(press('?', { shiftKey: true }), false)).toBe('?')
  expect(chordOf(press('?'), false)).toBe('?')
})

it('leaves the other system key to the system', () => {
  expect(chordOf(press('k', { metaKey: true }), false)).not.toBe('mod+k')
  expect(chordOf(press('k', { ctrlKey: true }), true)).not.toBe('mod+k')
})

it('does not count a modifier alone as a press', () => {
  expect(chordOf(press('Shift', { shiftKey: true }), false)).toBeNull()
})

it('follows one key after the other, and knows when they lead elsewhere', () => {
  expect(restOf('g t', [])).toEqual(['g', 't'])
  expect(restOf('g t', ['g'])).toEqual(['t'])
  expect(restOf('g t', ['g', 't'])).toEqual([])
  expect(restOf('g t', ['g', 'm'])).toBeNull()
  expect(restOf('mod+k', ['g'])).toBeNull()
})

it('shows the keys by the names on them', () => {
  expect(keysOf('mod+k', false)).toEqual([['Ctrl', 'K']])
  expect(keysOf('mod+k', true)).toEqual([['⌘', 'K']])
  expect(keysOf('g t', false)).toEqual([['G'], ['T']])
})
