import { expect, test } from 'vitest'
import { newId } from './ids.ts'

test('an id names its kind and has ten characters that cannot be misread', () => {
  expect(newId('task')).toMatch(/^task_[0-9a-hjkmnp-tv-z]{10}$/)
  expect(newId('vm')).toMatch(/^vm_/)
})

test('ids made in a burst are all different and sort in the order of making', () => {
  const ids = Array.from({ length: 5000 }, () => newId('snap'))
  expect(new Set(ids).size).toBe(ids.length)
  expect([...ids].sort()).toEqual(ids)
})

test('ids rise even when the clock is set back', () => {
  const early = newId('task')
  expect(newId('task', Date.now() - 3_600_000) > early).toBe(true)
})

test('a later moment gives a larger id', () => {
  const later = newId('task', Date.UTC(2040, 0, 1))
  expect(newId('task', Date.UTC(2058, 0, 1)) > later).toBe(true)
})
