import { expect, it } from 'vitest'
import { ago, bytes, duration, memory, wholeDuration } from './format.ts'

it('shows short times finely and long ones coarsely', () => {
  expect([12.4, 999, 1000, 9940, 9960, 59_600, 64_000, 3_900_000].map(duration)).toEqual([
    '12 ms',
    '999 ms',
    '1.0 s',
    '9.9 s',
    '10 s',
    '1 min 00 s',
    '1 min 04 s',
    '1 h 05 min',
  ])
})

it('never counts below zero when clocks disagree', () => {
  expect(wholeDuration(-5000)).toBe('0 s')
})

it('says how long ago, until a date says more', () => {
  const now = Date.parse('2026-11-02T12:00:00Z')
  expect(ago('2026-11-02T11:59:50Z', now)).toBe('just now')
  expect(ago('2026-11-02T11:59:00Z', now)).toBe('1 minute ago')
  expect(ago('2026-11-02T09:00:00Z', now)).toBe('3 hours ago')
  expect(ago('2026-11-01T11:00:00Z', now)).toBe('yesterday')
  expect(ago('2026-09-01T11:00:00Z', now)).toContain('2026')
})

it('gives sizes in the unit that keeps them short', () => {
  expect([0, 999, 1024 * 1024 * 3.5, 1024 ** 3 * 12].map(bytes)).toEqual(['0 B', '999 B', '3.5 MB', '12 GB'])
  expect(memory(2048)).toBe('2.0 GB')
})
