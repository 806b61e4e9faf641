import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../log.ts'
import { openEngine } from './engine.ts'
import { openTestEngine, type TestEngine } from './testing.ts'

let house: TestEngine
beforeEach(async () => {
  house = await openTestEngine()
})
afterEach(() => house.close())

/** The same data under another engine. */
async function reopened({ paths, driver, close }: TestEngine): Promise<TestEngine> {
  const engine = await openEngine({ paths, log: silentLog, driver })
  return { engine, paths, driver, close: () => engine.close().then(close) }
}

test('rules a person has set are given back whole, also by another engine; what cannot be read is refused', async () => {
  const { engine } = house
  expect((await engine.call('judge.get', {})).order[0]).toBe('wanted')
  await engine.call('judge.set', { order: ['steps'], wanted: ['/home/user/*'], ties: 'first' })
  expect(await engine.call('judge.get', {})).toMatchObject({ order: ['steps'], slack: 0.25, ties: 'first' })
  await engine.close()
  house = await reopened(house)
  expect(await house.engine.call('judge.get', {})).toMatchObject({ order: ['steps'], wanted: ['/home/user/*'] })
  await expect(house.engine.call('judge.set', { order: ['beauty' as 'steps'] })).rejects.toThrow()
  expect(await house.engine.call('judge.set', {})).toMatchObject({ wanted: [] }) // as it comes
})

test('a file of a branch nobody knows is not found, and nothing is written', async () => {
  const file = path.join(house.paths.home, 'out')
  const wish = { branchId: 'branch_none', path: '/etc/passwd', file }
  await expect(house.engine.call('branch.fetch', wish)).rejects.toMatchObject({ code: 'not_found' })
  await expect(fs.stat(file)).rejects.toThrow()
})
