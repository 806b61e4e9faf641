import { describe, expect, it } from 'vitest'
import { checksInWords, describeChange } from './in-words.ts'

describe('an expectation in words', () => {
  it.each([
    ['The list shows “Invoice 12” and "Paid"', ['Invoice 12', 'Paid']],
    ["The title is 'Letter', and it doesn't say that it's unsaved", ['Letter']],
    ['`main.c` is open in «Files»', ['main.c', 'Files']],
    ['“Again” and once more “Again”', ['Again']],
    ['The window closes', []],
    ['An unfinished “quote', []],
  ])('%s', (words, texts) => {
    const checks = checksInWords(words)
    expect(checks.map((check) => ('text' in check ? check.text : null)).sort()).toEqual([...texts].sort())
    expect(checks.every(({ check }) => check === 'text_visible')).toBe(true)
  })
})

describe('what changed on the screen, in words', () => {
  const screen = { width: 1200, height: 900 }
  const box = (x: number, y: number, size = 10) => ({ x, y, width: size, height: size })
  it.each([
    [[box(0, 0)], 'The screen changed at the top left.'],
    [[box(600, 450), box(1100, 850), box(590, 440)], 'The screen changed in the middle and at the bottom right.'],
    [[box(10, 450), box(600, 10), box(600, 880)], 'The screen changed at the left, at the top and at the bottom.'],
    [[box(0, 0, 900)], 'The screen changed nearly everywhere.'],
    [[], 'The screen changed.'],
  ])('%j', (boxes, words) => {
    expect(describeChange({ changed: true, boxes }, screen)).toBe(words)
  })

  it('says so when nothing did, and nothing when nobody looked', () => {
    expect(describeChange({ changed: false, boxes: [] }, screen)).toBe('Nothing changed on the screen.')
    expect(describeChange(null, screen)).toBe('')
  })
})
