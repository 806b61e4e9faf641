import { expect, it } from 'vitest'
import { isFiltered, marked, noFilters, queryOf } from './filters.ts'

const now = Date.parse('2026-11-18T12:00:00.000Z')

it('asks for everything when nothing was chosen', () => {
  expect(queryOf(noFilters, now)).toEqual({})
  expect(isFiltered({ ...noFilters, words: '  ' })).toBe(false)
})

it('asks for what was chosen', () => {
  expect(
    queryOf({ words: ' sea ', state: 'failed', planner: 'anthropic', tag: 'keep', app: 'xterm', since: 'week' }, now),
  ).toEqual({
    text: 'sea',
    states: ['failed'],
    planner: 'anthropic',
    tag: 'keep',
    app: 'xterm',
    from: '2026-11-11T12:00:00.000Z',
  })
})

it('marks the found words and nothing else', () => {
  expect(marked('the «sea» has «no» editor')).toEqual([
    { text: 'the ', hit: false },
    { text: 'sea', hit: true },
    { text: ' has ', hit: false },
    { text: 'no', hit: true },
    { text: ' editor', hit: false },
  ])
  expect(marked('an open « only')).toEqual([{ text: 'an open « only', hit: false }])
})
