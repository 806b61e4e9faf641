import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { examples } from '../agent/examples/all.ts'
import type { RunTaskInput, Task } from '../contract/task.ts'
import type { Engine } from '../engine.ts'
import { silentLog } from '../log.ts'
import { openTestDriver, type TestDriver } from '../sandbox/qemu/testing.ts'
import { openEngine } from './engine.ts'

/** GODHAND_EXAMPLES=all runs the whole gallery; without it the one that branches stands for all. */
const chosen = process.env.GODHAND_EXAMPLES === 'all' ? examples : examples.filter(({ id }) => id === 'two-ways')
const LIMIT_MS = 240_000

let test: TestDriver
let engine: Engine
beforeAll(async () => {
  test = await openTestDriver()
  engine = await openEngine({ paths: test.paths, log: silentLog, driver: test.driver })
})
afterAll(async () => {
  await engine.close()
  await test.close()
})

function finished(wish: RunTaskInput): Promise<Task> {
  return new Promise((resolve, reject) => {
    const off = engine.onEvent((event) => {
      if (event.type !== 'task' || !['succeeded', 'failed', 'stopped'].includes(event.task.state)) return
      off()
      resolve(event.task)
    })
    engine.call('task.run', wish).catch(reject)
  })
}

it.each(chosen)('plays “$title” to a checked end', { timeout: LIMIT_MS }, async ({ script }) => {
  const task = await finished({ goal: script.goal, planner: { kind: 'script', script } })
  expect(task.checks.filter(({ verdict }) => !verdict.pass).map(({ verdict }) => verdict.summary)).toEqual([])
  expect(task, task.verdict ?? '').toMatchObject({ state: 'succeeded' })
})

it('has what the person attached in the guest before the first step', { timeout: LIMIT_MS }, async () => {
  const file = path.join(test.paths.home, 'ünder “quotes”.csv')
  writeFileSync(file, 'a,b\n1,2\n')
  const { id } = await engine.call('file.attach', { file })
  const task = await finished({
    goal: 'Read what was attached',
    attached: [id],
    planner: {
      kind: 'script',
      script: {
        goal: 'Read what was attached',
        steps: [
          { say: 'Here?', do: [{ type: 'exec', command: 'ls ~/Attached > ~/seen' }], expect: [], timeoutSeconds: 20 },
        ],
        finish: [
          { check: 'file_content', path: '/home/user/Attached/ünder “quotes”.csv', text: 'a,b\n1,2\n', match: 'exact' },
          { check: 'file_content', path: '/home/user/seen', text: 'quotes', match: 'contains' },
        ],
        finishTimeoutSeconds: 20,
      },
    },
  })
  expect(task, task.verdict ?? '').toMatchObject({ state: 'succeeded' })
})
