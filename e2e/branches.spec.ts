import { App } from './app.ts'
import { expect, test } from './engine.ts'
import { TaskPage } from './task-page.ts'
import { TimePage } from './time-page.ts'

test('two ways are seen live beside each other, the judge says why, and the winner takes the stage', async ({
  page,
  engine,
}) => {
  await page.goto(await engine.start())
  const app = new App(page)
  await app.waitUntilReady()
  await page.goto(new URL('/', page.url()).href)
  await page.getByRole('button', { name: /Two ways at once/ }).click()
  await page.waitForURL(/\/tasks\/task_/)
  const { taskId } = app

  const tiles = page.getByRole('region', { name: 'The ways being tried' }).getByRole('listitem', { name: /^Way \d/ })
  await expect(tiles).toHaveCount(2, { timeout: 120_000 })
  for (const tile of await tiles.all()) await expect(tile.locator('canvas')).toBeVisible()
  const [halved, packed] = [tiles.filter({ hasText: 'Delete the older half' }), tiles.filter({ hasText: 'Pack every' })]
  await expect(page.getByText('Way 2 won: Pack every note')).toBeVisible({ timeout: 120_000 })
  await expect(packed.getByText('Won', { exact: true })).toBeVisible()
  await expect(packed.getByRole('list', { name: 'What the judge says' })).toContainText('Its checks hold')
  await expect(halved.getByRole('list', { name: 'What the judge says' })).toContainText('Its checks do not hold')

  const task = new TaskPage(page)
  await expect(task.state('Done')).toBeVisible({ timeout: 60_000 })
  await expect(tiles).toHaveCount(0)
  await expect(task.machine.screen).toBeVisible()
  const trace = JSON.parse(await engine.cli('trace', 'show', taskId, '--json'))
  expect(trace.task.state).toBe('succeeded')
  const [{ id }] = JSON.parse(await engine.cli('vm', 'list', '--json'))
  expect(await engine.cli('vm', 'exec', id, '--', 'sh', '-c', 'ls /home/user/notes | wc -l')).toContain('20')

  await task.openTimeTravel()
  const time = new TimePage(page)
  await expect(time.moments.filter({ hasText: 'Way 1 · dropped' })).toBeVisible()
  await time.moments.filter({ hasText: 'Way 1 · dropped' }).click()
  await expect(page.getByRole('region', { name: 'The chosen way' })).toContainText('Its checks do not hold')
})
