import { describe, expect, it } from 'vitest'
import type { RawFrame } from '../../sandbox/sandbox.ts'
import { Glyphs, glyphNames } from './glyphs.ts'
import { type InkLine, inkLines } from './ink-runs.ts'

/** Letters as a terminal would draw them, a few pixels each; a dot is ground. */
const shapes = {
  a: ['....', '....', '.##.', '#..#', '####', '#..#'],
  L: ['#...', '#...', '#...', '#...', '#...', '####'],
  '|': ['##', '##', '##', '##', '##', '##'],
  '-': ['....', '....', '....', '####', '....', '....'],
}

/** One line of such letters, 8 pixels apart. */
function drawn(text: (keyof typeof shapes)[]): { frame: RawFrame; line: InkLine } {
  const frame = { width: text.length * 8 + 8, height: 12, rgb: Buffer.alloc((text.length * 8 + 8) * 12 * 3, 240) }
  for (const [n, letter] of text.entries())
    for (const [y, row] of shapes[letter].entries())
      for (const [x, dot] of [...row].entries())
        if (dot === '#')
          frame.rgb.fill(10, ((y + 3) * frame.width + n * 8 + x + 4) * 3, ((y + 3) * frame.width + n * 8 + x + 5) * 3)
  const box = { x: 0, y: 1, width: frame.width, height: 10 }
  const [line] = inkLines(frame, { box, core: { top: 5, bottom: 8 } })
  if (!line) throw new Error('nothing was drawn')
  return { frame, line }
}

/** The reader's answer about such a line. */
const said = ({ runs }: InkLine, text: string, confidence = 0.99) =>
  [...text].map((letter, n) => ({
    text: letter,
    x: ((runs[n]?.left ?? 0) + (runs[n]?.right ?? 0)) / 2 + 2,
    confidence,
  }))

describe('ink whose letters are known', () => {
  const learned = (...texts: string[]) => {
    const glyphs = new Glyphs()
    const { frame, line } = drawn(['a', 'L', '-', 'a'])
    for (const text of texts) glyphs.learn(line.runs, glyphNames(frame, line), said(line, text))
    return glyphs
  }
  const read = (glyphs: Glyphs, letters: (keyof typeof shapes)[]) => {
    const { frame, line } = drawn(letters)
    return glyphs
      .read(line.runs, glyphNames(frame, line))
      ?.map(({ text }) => text)
      .join('')
  }

  it('is read without the reader, elsewhere and in another order', () => {
    expect(read(learned('aL-a', 'aL-a', 'aL-a'), ['L', 'a', 'a', '-', 'L'])).toBe('Laa-L')
  })

  it('is not known after one look, nor where the reader says now this, now that', () => {
    expect(read(learned('aL-a'), ['L', 'a'])).toBeUndefined()
    expect(read(learned('aL-a', 'al-a', 'aL-a', 'al-a'), ['L', 'a'])).toBeUndefined()
  })

  it('is learned only where there are as many letters as pieces of ink', () => {
    expect(read(learned('aL-', 'aL-', 'aL-'), ['L', 'a'])).toBeUndefined()
  })

  it('puts right what the reader mistook once', () => {
    const glyphs = learned('aL-a', 'aL-a', 'aL-a', 'aL-a')
    const { frame, line } = drawn(['L', 'a', 'L'])
    const corrected = glyphs.corrected(line.runs, glyphNames(frame, line), said(line, 'Lal'))
    expect(corrected?.map(({ text }) => text).join('')).toBe('LaL')
  })

  it('is never a plain bar: l, I and | look alike', () => {
    const { frame, line } = drawn(['a', '|', 'a'])
    expect(glyphNames(frame, line).map((name) => name === null)).toEqual([false, true, false])
  })
})
