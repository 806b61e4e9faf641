import { expect, it } from 'vitest'
import { noUsage } from '../../main/contract/usage.ts'
import { aStep, aTask } from '../dev/samples.ts'
import { factsOf } from './facts.ts'

const times = { startedAt: '2026-11-02T09:00:00.000Z', endedAt: '2026-11-02T09:00:04.200Z' }

it('says of both runs how they ended, how long they took and what they cost, and where that differs', () => {
  const facts = factsOf({
    a: {
      task: aTask({ state: 'succeeded', ...times }),
      steps: [aStep({ usage: { ...noUsage, usd: 0.25 } }), aStep({ index: 1, usage: { ...noUsage, usd: 0.25 } })],
    },
    b: { task: aTask({ id: 'task-2', state: 'failed', createdAt: '2026-11-03T09:00:00.000Z' }), steps: [aStep()] },
    rows: [],
    summary: [],
  })
  const said = Object.fromEntries(facts.map(({ name, a, b }) => [name, [a, b]]))
  expect(said).toMatchObject({
    Ended: ['Done', 'Failed'],
    Steps: ['2', '1'],
    'Time taken': ['4.2 s', '–'],
    Cost: ['$0.50', 'none'],
  })
  expect(facts.filter(({ differs }) => differs).map(({ name }) => name)).toEqual([
    'Ended',
    'Steps',
    'Time taken',
    'Cost',
  ])
})
