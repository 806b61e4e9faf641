import { expect, test } from './engine.ts'

test('an engine killed and started again under an open window is said, and the window goes on without a reload', async ({
  page,
  engine,
}) => {
  await page.goto(await engine.start())
  await page.goto(new URL('/diagnostics', page.url()).href)
  await expect(page.getByText('Running since')).toBeVisible()
  const pid = await page.getByText('Process', { exact: true }).locator('+ dd').textContent()
  await page.evaluate(() => Object.assign(window, { neverReloaded: true }))

  await engine.end('SIGKILL')
  await expect(page.getByText('The engine does not answer')).toBeVisible()
  await engine.start()
  await expect(page.getByText('The engine is back')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('The engine does not answer')).toBeHidden()
  await expect(page.getByText('Process', { exact: true }).locator('+ dd')).not.toHaveText(pid ?? '')
  expect(await page.evaluate(() => 'neverReloaded' in window)).toBe(true)

  await engine.end('SIGKILL')
  await engine.start()
  await page.reload() // before it could come back by itself: the locked page lets the window in as well
  await expect(page.getByText('Running since')).toBeVisible({ timeout: 30_000 })
})
