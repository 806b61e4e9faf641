import { expect, it } from 'vitest'
import { commands } from './all.ts'
import { restOf } from './keys.ts'

it('gives every command an id, a label and words to find it by, each id once', () => {
  expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length)
  for (const { id, label, keywords } of commands) {
    expect(id).toMatch(/^[a-z]+\.[a-zA-Z]+$/)
    expect(label.trim(), id).not.toBe('')
    expect(keywords.trim(), id).not.toBe('')
  }
})

it('lets no shortcut stand in the way of another', () => {
  const keyed = commands.filter(({ shortcut }) => shortcut !== undefined)
  for (const one of keyed)
    for (const other of keyed)
      if (one !== other)
        expect(restOf(one.shortcut ?? '', (other.shortcut ?? '').split(' ')), `${one.id} and ${other.id}`).toBeNull()
})
