import { expect, it } from 'vitest'
import { aTask } from '../dev/samples.ts'
import { newsOf } from './news.ts'

const running = aTask({ state: 'running' })
const waiting = aTask({ state: 'running', waitingFor: { kind: 'question', text: 'Which one?' } })

it('calls the person once, when a task begins to wait', () => {
  expect(newsOf(running, waiting)).toBe('needs_you')
  expect(newsOf(waiting, waiting)).toBeNull()
  expect(newsOf(waiting, running)).toBeNull()
})

it('tells how it ended, once, but not to whoever stopped it', () => {
  expect(newsOf(running, aTask({ state: 'succeeded' }))).toBe('done')
  expect(newsOf(running, aTask({ state: 'failed' }))).toBe('failed')
  expect(newsOf(running, aTask({ state: 'stopped' }))).toBeNull()
  expect(newsOf(aTask({ state: 'succeeded' }), aTask({ state: 'succeeded' }))).toBeNull()
})

it('has no news of a task it never saw before', () => {
  expect(newsOf(undefined, aTask({ state: 'succeeded' }))).toBeNull()
})
