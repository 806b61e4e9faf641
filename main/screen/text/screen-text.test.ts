import { describe, expect, it } from 'vitest'
import type { TextLine } from '../../contract/reading.ts'
import { execBounded } from './bounded-regex.ts'
import { findFuzzy, matchText } from './match-text.ts'
import { findText, lineOf, linesWithin } from './screen-text.ts'

/** Ten pixels a letter, one line every 20 pixels. */
function screen(...texts: string[]): TextLine[] {
  return texts.map((text, row) => {
    let x = 100
    return lineOf(
      text.split(' ').map((word) => {
        const box = { x, y: row * 20, width: word.length * 10, height: 14 }
        x += (word.length + 1) * 10
        return { text: word, box, confidence: 0.9 }
      }),
    )
  })
}

describe('text found on the screen', () => {
  const lines = screen('File Edit Search', 'Save the document Saved', 'before closing it?')

  it('has a point in the middle of its words', () => {
    expect(findText(lines, { text: 'the document', match: 'contains' })).toEqual([
      {
        text: 'the document',
        box: { x: 150, y: 20, width: 120, height: 14 },
        point: { x: 210, y: 27 },
        score: 1,
        confidence: 0.9,
        line: 'Save the document Saved',
      },
    ])
  })

  it('is every place for contains, whole words for exact', () => {
    expect(findText(lines, { text: 'Save', match: 'contains' })).toHaveLength(2)
    expect(findText(lines, { text: 'Save', match: 'exact' }).map(({ box }) => box.x)).toEqual([100])
    expect(findText(lines, { text: 'save', match: 'contains' })).toEqual([])
  })

  it('forgives misread letters when fuzzy, and not more than a fifth', () => {
    const [match] = findText(screen('Delete fi1e rep0rt.txt'), { text: 'file report.txt', match: 'fuzzy' })
    expect(match).toMatchObject({ text: 'fi1e rep0rt.txt', box: { x: 170, width: 150 } })
    expect(findText(screen('completely other'), { text: 'file report.txt', match: 'fuzzy' })).toEqual([])
  })

  it('is found by a regular expression', () => {
    expect(findText(lines, { text: 'Sav(e|ed)\\b', match: 'regex' }).map(({ text }) => text)).toEqual(['Save', 'Saved'])
  })

  it('may be wrapped onto the next line', () => {
    const [match] = findText(lines, { text: 'document Saved before closing', match: 'contains' })
    expect(match?.box).toMatchObject({ y: 20, height: 34 })
  })

  it('can be limited to a region', () => {
    const within = linesWithin(lines, { x: 0, y: 15, width: 200, height: 20 })
    expect(within.map(({ text }) => text)).toEqual(['Save the'])
  })
})

describe('text compared', () => {
  it.each([
    ['contains', 'b c', true],
    ['contains', 'B C', false],
    ['exact', 'a b c d', true],
    ['exact', 'b c', false],
    ['fuzzy', 'A B C', true],
    ['regex', '^a.*d$', true],
    ['regex', '^b', false],
  ] as const)('%s %j in “a b c d” is %s', (match, text, found) => {
    expect(matchText('a b c d', { text, match }) !== null).toBe(found)
  })

  it('finds the best place with errors of every kind', () => {
    expect(findFuzzy('xxxx helo wrold yyyy', 'hello world')).toBeNull()
    expect(findFuzzy('xxxx helo worlld yyyy', 'hello world')).toMatchObject({ index: 5, text: 'helo worlld' })
  })

  it('stops an expression that would run for ever', () => {
    const started = performance.now()
    expect(() => execBounded('^(a+)+$', `${'a'.repeat(50)}!`)).toThrow('takes too long')
    expect(performance.now() - started).toBeLessThan(1000)
  })

  it('refuses what is not an expression', () => {
    expect(() => execBounded('(', 'a')).toThrow(expect.objectContaining({ code: 'bad_request' }))
  })
})
