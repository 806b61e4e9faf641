import { expect, test } from 'vitest'
import { firstWindow, furtherWindows } from './step-windows.ts'

test.each([0, 1, 299, 300, 301, 599, 600, 601, 1600, 1601, 10_000])(
  'of a trace of %i steps every one is fetched once',
  (count) => {
    const indexes = [firstWindow, ...furtherWindows(count)].flatMap(({ from, limit }) =>
      Array.from({ length: limit }, (_, n) => from + n),
    )
    expect(indexes.filter((index) => index < count).sort((a, b) => a - b)).toEqual(
      Array.from({ length: count }, (_, index) => index),
    )
  },
)

test('the end comes before what lies between', () => {
  expect(furtherWindows(2500)).toEqual([
    { from: 2200, limit: 300 },
    { from: 300, limit: 1000 },
    { from: 1300, limit: 900 },
  ])
})
