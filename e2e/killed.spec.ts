import { App } from './app.ts'
import { expect, test } from './engine.ts'

test('an engine killed in the middle of a task says so at the next start, and no machine runs on', async ({
  page,
  engine,
}) => {
  await page.goto(await engine.start())
  const app = new App(page)
  await app.waitUntilReady()
  await app.playDemo()
  await expect.poll(() => app.stepRows.count(), { timeout: 120_000 }).toBeGreaterThanOrEqual(2)
  const { taskId } = app
  const before = await engine.machines() // the task's, and what stands ready
  expect(before).not.toEqual([])
  await engine.end('SIGKILL')

  await page.goto(await engine.start())
  await expect(page.getByText(/ended in the middle|interrupted/i).first()).toBeVisible()
  const now = await engine.machines()
  expect(before.filter((pid) => now.includes(pid))).toEqual([])
  const trace = JSON.parse(await engine.cli('trace', 'show', taskId, '--json'))
  expect(trace.task.state).toBe('interrupted')
  expect(trace.steps.length).toBeGreaterThanOrEqual(2)
})
