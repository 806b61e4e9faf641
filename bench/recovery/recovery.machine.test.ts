import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../main/engine.ts'
import { silentLog } from '../../main/log.ts'
import { openEngine } from '../../main/orchestrator/engine.ts'
import { openTestDriver, type TestDriver } from '../../main/sandbox/qemu/testing.ts'
import { flakyDriver } from './flaky-driver.ts'
import { runOnce } from './measure.ts'

/** The short form of `npm run bench:recovery`, with luck that is known. */
const luck: number[] = []
let test: TestDriver
let engine: Engine
beforeAll(async () => {
  test = await openTestDriver()
  const driver = flakyDriver(test.driver, () => luck.shift() ?? 0)
  engine = await openEngine({ paths: test.paths, log: silentLog, driver })
})
afterAll(async () => {
  await engine.close()
  await test.close()
})

it('a real machine that a step has ruined is put back, and the same task then succeeds', async () => {
  luck.push(0.1)
  expect(await runOnce(engine, 'without')).toMatchObject({ succeeded: false })
  luck.push(0.1, 0.9)
  expect(await runOnce(engine, 'with')).toMatchObject({ succeeded: true, rollbacks: 1 })
  expect(luck).toEqual([])
})
