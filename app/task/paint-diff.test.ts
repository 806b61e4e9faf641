import { expect, it } from 'vitest'
import { paintDiff } from './paint-diff.ts'

const pixels = (...colours: [number, number, number][]) =>
  new Uint8ClampedArray(colours.flatMap((colour) => [...colour, 255]))

it('keeps the colour of what changed, pales the rest, and says how much it was', () => {
  const before = pixels([10, 10, 10], [200, 0, 0], [0, 0, 0], [50, 60, 70])
  const after = pixels([12, 10, 10], [0, 200, 0], [0, 0, 0], [50, 60, 70])
  expect(paintDiff(before, after)).toBe(0.25)
  expect([...after.slice(4, 7)]).toEqual([0, 200, 0])
  expect(after[0]).toBeGreaterThan(200)
  expect(after[0]).toBe(after[1])
})
