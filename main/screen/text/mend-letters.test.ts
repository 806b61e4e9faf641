import { expect, it } from 'vitest'
import { mendLetters } from './mend-letters.ts'

const line = { x: 0, y: 0, width: 60, height: 14 }
const letter = (text: string, x: number, confidence = 0.99) => ({ text, x, confidence })
const run = (left: number, right: number, top = 0, bottom = 10) => ({ left, right, top, bottom })
const textOf = (letters: { text: string }[]) => letters.map(({ text }) => text).join('')

it('an underscore that was taken for a space is one again', () => {
  const runs = [run(0, 6), run(9, 17, 12, 13), run(20, 26)]
  expect(textOf(mendLetters([letter('a', 3), letter(' ', 13), letter('b', 23)], runs, line))).toBe('a_b')
  const space = [run(0, 6), run(20, 26)]
  expect(textOf(mendLetters([letter('a', 3), letter(' ', 13), letter('b', 23)], space, line))).toBe('a b')
})

it('an edge is no letter beside one that is certain in the same ink', () => {
  const runs = [run(0, 8), run(10, 16)]
  expect(textOf(mendLetters([letter('[', 1, 0.49), letter('Y', 4), letter('o', 13)], runs, line))).toBe('Yo')
  expect(textOf(mendLetters([letter('[', 4, 0.49), letter('o', 13)], runs, line))).toBe('[o')
})
