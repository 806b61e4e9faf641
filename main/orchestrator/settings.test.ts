import { afterEach, beforeEach, expect, it } from 'vitest'
import { RunTask, type RunTaskInput } from '../contract/task.ts'
import { openStore, type Store } from '../trace/store.ts'
import { SettingsKeeper } from './settings.ts'
import { openTestEngine } from './testing.ts'

let store: Store
beforeEach(() => {
  store = openStore(':memory:')
})
afterEach(() => store.close())

const wish = (over: Partial<RunTaskInput>) => RunTask.parse({ goal: 'x', planner: { kind: 'anthropic' }, ...over })

it('keeps what was chosen for the next engine, and knows what nobody chose', () => {
  const keeper = new SettingsKeeper(store)
  expect(keeper.now).toEqual({ machine: null, allow: [], approval: null })
  keeper.set({ machine: { memoryMb: 1024, cpus: 1 }, allow: ['example.org'], approval: 'always' })
  const next = new SettingsKeeper(store)
  expect(next.now).toMatchObject({ allow: ['example.org'], approval: 'always' })
  expect(next.machineSize).toEqual({ memoryMb: 1024, cpus: 1 })
})

it('takes what it cannot read for nothing chosen', () => {
  store.meta.set('settings', '{"machine": 7')
  expect(new SettingsKeeper(store).now.machine).toBeNull()
  store.meta.set('settings', '{"machine": 7}')
  expect(new SettingsKeeper(store).now.machine).toBeNull()
})

it('makes models ask as the person wants it, but leaves a task its own word and a script its own way', () => {
  const keeper = new SettingsKeeper(store)
  keeper.set({ machine: null, allow: [], approval: 'always' })
  expect(keeper.appliedTo(wish({})).approval).toBe('always')
  expect(keeper.appliedTo(wish({ approval: 'never' })).approval).toBe('never')
  expect(keeper.appliedTo(wish({ planner: { kind: 'demo' } })).approval).toBeUndefined()
})

it('says over the wire what is in force', async () => {
  const house = await openTestEngine()
  try {
    await house.engine.call('settings.set', { machine: null, allow: ['a.example'], approval: null })
    expect(await house.engine.call('settings.get', {})).toMatchObject({
      settings: { allow: ['a.example'] },
      usualMachine: { memoryMb: expect.any(Number) },
      snapshotFolder: house.paths.snapshots,
    })
  } finally {
    await house.close()
  }
})
