import { expect, it } from 'vitest'
import { RetentionPolicy } from '../../main/contract/trace.ts'
import { policyOf, typedOf } from './policy.ts'

it('keeps everything while no limit is named', () => {
  expect(policyOf(typedOf(null))).toBeNull()
  expect(policyOf({ maxAgeDays: ' ', maxTraces: 'many', maxGb: '-1', keepTags: 'a' })).toBeNull()
})

it('comes back from the fields as it was', () => {
  const policy = RetentionPolicy.parse({
    maxAgeDays: 30,
    maxTraces: 0,
    maxBytes: 2.5 * 1024 ** 3,
    keepTags: ['a', 'b c'],
  })
  expect(policyOf(typedOf(policy))).toEqual(policy)
  expect(typedOf(policy)).toEqual({ maxAgeDays: '30', maxTraces: '0', maxGb: '2.5', keepTags: 'a, b c' })
})
