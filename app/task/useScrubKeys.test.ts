import { expect, it } from 'vitest'
import { scrubTo } from './useScrubKeys.ts'

it('goes from the present to the last step, and back', () => {
  expect(scrubTo('ArrowLeft', null, 5)).toBe(4)
  expect(scrubTo('ArrowRight', 4, 5)).toBeNull()
  expect(scrubTo('ArrowRight', null, 5)).toBeNull()
})

it('stays at the first step', () => {
  expect(scrubTo('ArrowLeft', 0, 5)).toBe(0)
  expect(scrubTo('Home', 3, 5)).toBe(0)
})

it('returns to the present with End or Escape', () => {
  expect(scrubTo('End', 1, 5)).toBeNull()
  expect(scrubTo('Escape', 1, 5)).toBeNull()
})

it('leaves other keys alone, and all keys while there is nothing to see', () => {
  expect(scrubTo('a', 1, 5)).toBeUndefined()
  expect(scrubTo('ArrowLeft', null, 0)).toBeUndefined()
})
