import { expect, it } from 'vitest'
import { parseRoute, pathOf, type Route } from './route.ts'

const routes: Route[] = [
  { screen: 'home' },
  { screen: 'home', goal: 'Tidy & sort?' },
  { screen: 'welcome' },
  { screen: 'task', taskId: 'abc', step: null },
  { screen: 'task', taskId: 'a/b c', step: 0 },
  { screen: 'machines' },
  { screen: 'machine', machineId: 'm-1' },
  { screen: 'time', taskId: null, snapshotId: null },
  { screen: 'time', taskId: 'a b', snapshotId: 's/1' },
  { screen: 'library' },
  { screen: 'library', filters: { words: 'the sea', tag: 'a/b', state: 'failed', since: 'week' } },
  { screen: 'compare', a: 'one', b: null },
  { screen: 'compare', a: 'one', b: 'two & a half', only: 'differences', row: 4 },
  { screen: 'benchmarks', run: null },
  { screen: 'benchmarks', run: 'r/1' },
  { screen: 'settings', section: 'models' },
  { screen: 'settings', section: 'storage' },
  { screen: 'doctor' },
]

it.each(routes)('$screen comes back from its own address', (route) => {
  const address = new URL(pathOf(route), 'http://localhost')
  expect(parseRoute(address.pathname, address.search)).toEqual(route)
})

it('counts steps from one in the address and from zero inside', () => {
  expect(pathOf({ screen: 'task', taskId: 't', step: 4 })).toBe('/tasks/t?step=5')
})

it('opens the task without a step when the step makes no sense', () => {
  for (const search of ['?step=0', '?step=-1', '?step=x', '?step=1e9'])
    expect(parseRoute('/tasks/t', search)).toEqual({ screen: 'task', taskId: 't', step: null })
})

it('opens the settings at their first section', () => {
  expect(parseRoute('/settings')).toEqual({ screen: 'settings', section: 'models' })
})

it('leaves out a filter that makes no sense', () => {
  expect(parseRoute('/library', '?state=glad&since=ever&tag=keep')).toEqual({
    screen: 'library',
    filters: { tag: 'keep' },
  })
})

it('says so when it knows no such place, even for a broken escape', () => {
  expect(parseRoute('/nowhere').screen).toBe('unknown')
  expect(parseRoute('/settings/nothing').screen).toBe('unknown')
  expect(parseRoute('/compare').screen).toBe('unknown')
  expect(parseRoute('/tasks').screen).toBe('unknown')
  expect(parseRoute('/%E0%A4%A').screen).toBe('unknown')
})
