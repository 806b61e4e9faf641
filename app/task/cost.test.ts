import { expect, it } from 'vitest'
import { noUsage } from '../../main/contract/usage.ts'
import { aStep } from '../dev/samples.ts'
import { costOf, totalUsage } from './cost.ts'

const used = { ...noUsage, inputTokens: 1000, outputTokens: 200 }

it('says money where the price is known, else tokens, and nothing where no model was asked', () => {
  expect(costOf({ ...used, usd: 0.0042 })).toBe('$0.0042')
  expect(costOf({ ...used, usd: 1.5 })).toBe('$1.50')
  expect(costOf({ ...used, usd: null })).toBe('1,200 tokens')
  expect(costOf(noUsage)).toBeNull()
  expect(costOf(undefined)).toBeNull()
})

it('adds up over the steps, and does not guess at a price that is partly unknown', () => {
  const steps = [aStep({ usage: { ...used, usd: 0.01 } }), aStep(), aStep({ usage: { ...used, usd: 0.02 } })]
  expect(costOf(totalUsage(steps))).toBe('$0.03')
  expect(costOf(totalUsage([...steps, aStep({ usage: { ...used, usd: null } })]))).toBe('3,600 tokens')
})
