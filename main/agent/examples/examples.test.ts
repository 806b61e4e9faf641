import { expect, it } from 'vitest'
import { examples } from './all.ts'

it('offers examples by ids that stay, each once, some of which try several ways', () => {
  expect(examples.map(({ id }) => id)).toEqual(['haiku', 'two-ways', 'three-ways', 'parcel', 'tidy', 'till', 'waves'])
  expect(examples.filter(({ branches }) => branches).map(({ id }) => id)).toEqual(['two-ways', 'three-ways'])
})

it.each(examples)(
  'says in every step of “$title” what it does, and proves the end by more than one check',
  ({ script }) => {
    for (const step of script.steps) expect(step.say.length).toBeGreaterThan(10)
    expect(script.finish.length).toBeGreaterThan(1)
  },
)
