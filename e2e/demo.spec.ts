import { App } from './app.ts'
import { expect, test } from './engine.ts'

test('a newcomer plays the demo, and what it claims is true in the guest', async ({ page, engine }, testInfo) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(await engine.start())
  const app = new App(page)
  await app.waitUntilReady()
  await app.playDemo()
  await expect(app.liveDesktop).toBeVisible()
  await expect(app.state('Done')).toBeVisible({ timeout: 240_000 })
  expect(await app.stepRows.count()).toBeGreaterThan(5)

  const [machine] = JSON.parse(await engine.cli('vm', 'list', '--json'))
  const letter = await engine.cli('vm', 'exec', machine.id, '--', 'cat', '/home/user/letter.txt')
  expect(letter).toContain('this desktop did not exist a moment ago')

  const trace = JSON.parse(await engine.cli('trace', 'show', app.taskId, '--json'))
  expect(trace.task.state).toBe('succeeded')
  for (const step of trace.steps) {
    expect(step.before).toMatch(/^[0-9a-f]{64}$/)
    expect(step.after).toMatch(/^[0-9a-f]{64}$/)
    expect(step.timing.totalMs).toBeGreaterThan(0)
  }
  const download = page.waitForEvent('download')
  await page.getByText('Export', { exact: true }).click()
  await page.getByRole('link', { name: /ghtrace/ }).click()
  const file = testInfo.outputPath('demo.ghtrace')
  await (await download).saveAs(file)
  expect(JSON.parse(await engine.cli('trace', 'verify', file, '--json'))).toMatchObject({ ok: true })
  expect(errors).toEqual([])
})

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
  expect(await engine.machines()).toHaveLength(1)
  await engine.end('SIGKILL')

  await page.goto(await engine.start())
  await expect(page.getByText(/ended in the middle|interrupted/i).first()).toBeVisible()
  expect(await engine.machines()).toEqual([])
  const trace = JSON.parse(await engine.cli('trace', 'show', taskId, '--json'))
  expect(trace.task.state).toBe('interrupted')
  expect(trace.steps.length).toBeGreaterThanOrEqual(2)
})
