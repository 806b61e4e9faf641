import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { noUsage } from '../contract/usage.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { sampleStep, sampleTask, temporaryStore } from './testing/samples.ts'

const spent = { steps: 2, usage: { ...noUsage, inputTokens: 7 }, elapsedMs: 1234.5 }

test('a conversation is open from the decision until its step is there', () => {
  const store = temporaryStore()
  const task = sampleTask()
  store.tasks.insert(task)
  expect(store.conversations.get(task.id)).toBeNull()
  store.conversations.save(task.id, { history: ['hello'] }, spent)
  expect(store.conversations.get(task.id)).toEqual({ state: { history: ['hello'] }, open: true, spent })
  store.conversations.settle(task.id, { ...spent, steps: 3 })
  expect(store.conversations.get(task.id)).toMatchObject({ open: false, spent: { steps: 3 } })
  store.conversations.save(task.id, null, spent)
  expect(store.conversations.get(task.id)).toEqual({ state: null, open: true, spent })
})

test('it goes with its task', () => {
  const store = temporaryStore()
  const task = sampleTask({ state: 'stopped' })
  store.tasks.insert(task)
  store.conversations.save(task.id, {}, spent)
  store.tasks.remove(task.id)
  expect(store.conversations.get(task.id)).toBeNull()
})

test('what a step took, what went wrong meanwhile, who talked and who did it are read back as they were', () => {
  const store = temporaryStore()
  const task = sampleTask()
  store.tasks.insert(task)
  const step = sampleStep(task.id, 0, {
    by: 'person',
    usage: spent.usage,
    notices: ['The service was busy.'],
    dialogue: { question: 'Which?', answer: null },
  })
  store.steps.append(step)
  store.steps.append(sampleStep(task.id, 1))
  expect(store.steps.list(task.id)).toEqual([step, sampleStep(task.id, 1)])
})

test('from 2 to 3 the steps that were there have nothing to say about it', () => {
  const database = new Database(':memory:')
  onTestFinished(() => {
    database.close()
  })
  migrate(database, migrations.slice(0, 2))
  database.exec(`INSERT INTO tasks (id, goal, image, planner, state, checks, created_at)
    VALUES ('t', 'Paint', 'desktop', 'demo', 'failed', '[]', 'x');
    INSERT INTO steps (task_id, step_index, thought, actions, checks, verdict, started_at, timing)
    VALUES ('t', 0, 'so', '[]', '[]', 'pass', 'x', '{}')`)
  migrate(database, migrations.slice(0, 3))
  expect(database.prepare('SELECT thought, done_by, usage, notices, dialogue FROM steps').all()).toEqual([
    { thought: 'so', done_by: null, usage: null, notices: null, dialogue: null },
  ])
})
