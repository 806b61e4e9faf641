import type { Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { z } from 'zod'
import { startMakeBelieve } from './make-believe.ts'

test.use({ trace: 'off' }) // the tests' own recording would be measured along

/** Many things at once need no machine: the page alone is measured, on a make-believe past. */
let engine: Awaited<ReturnType<typeof startMakeBelieve>>
test.beforeAll(async () => {
  engine = await startMakeBelieve('--long', '1000', '--tree', '1000')
})
test.afterAll(() => engine.end())

const Trace = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      tdur: z.number().optional(), // µs the thread itself worked
      args: z.object({ name: z.string().optional() }).optional(),
    }),
  ),
})

/**
 * No task may hold the page up for 100 ms. What counts is how long the page's thread worked on it: on a host that is busy
 * with other things, the same task takes longer by the clock, which the page cannot help and a note tells.
 */
async function expectSmooth(page: Page, what: string, move: () => Promise<void>): Promise<void> {
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser')
  await page.evaluate(() => {
    const seen: number[] = []
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.push(duration)
    }).observe({ type: 'longtask' })
    Object.assign(window, { longTasks: seen })
  })
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
  await move()
  const { traceEvents } = Trace.parse(JSON.parse((await browser.stopTracing()).toString()))
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const worked = traceEvents
    .filter(({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000)
  const byTheClock = z.array(z.number()).parse(await page.evaluate('longTasks'))
  expect(worked.length, 'tasks were seen at all').toBeGreaterThan(20)
  const longest = Math.max(...worked)
  test.info().annotations.push({
    type: what,
    description: `longest task ${longest.toFixed(1)} ms; by the clock over 50 ms: ${byTheClock.map(Math.round).join(', ') || 'none'}`,
  })
  expect(longest, what).toBeLessThan(100)
}

const wheel = async (page: Page, times: number, dx: number, dy: number) => {
  for (let n = 0; n < times; n++) {
    await page.mouse.wheel(dx, dy)
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
}

test('a thousand steps scroll and are scrubbed without holding the page up', async ({ page }) => {
  await page.goto(`${engine.url}/tasks/long`)
  const steps = page.getByRole('region', { name: 'Steps' })
  await expect(steps.locator('[data-position="0"]')).toBeVisible()
  await steps.hover()
  await expectSmooth(page, 'scrolling 1,000 steps', async () => {
    await wheel(page, 25, 0, 900)
    await steps.evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await expect(steps.locator('[data-position="999"]')).toBeVisible()
    await wheel(page, 25, 0, -900)
  })
  const timeline = await page.getByRole('slider', { name: 'Timeline' }).boundingBox()
  if (!timeline) throw new Error('there is no timeline')
  await expectSmooth(page, 'scrubbing 1,000 steps', async () => {
    for (let share = 0; share < 1; share += 0.04)
      await page.mouse.move(timeline.x + timeline.width * share, timeline.y + timeline.height / 2)
  })
})

test('a tree of a thousand moments is panned, walked and zoomed without holding the page up', async ({ page }) => {
  await page.goto(`${engine.url}/time`)
  const tree = page.getByRole('region', { name: 'Time travel' })
  await expect(tree.locator('[data-moment]').first()).toBeVisible()
  await tree.hover()
  await expectSmooth(page, 'panning 1,000 moments', async () => {
    await wheel(page, 25, 0, 400)
    await wheel(page, 10, -300, 0)
    await wheel(page, 25, 0, -400)
  })
  await expectSmooth(page, 'zooming 1,000 moments', async () => {
    await page.keyboard.down('Control')
    await wheel(page, 12, 0, 120)
    await wheel(page, 12, 0, -120)
    await page.keyboard.up('Control')
  })
})

test('a moment is chosen by a click', async ({ page }) => {
  await page.goto(`${engine.url}/time?at=poem-2`)
  await page.locator('[data-moment="poem-1"]').click()
  await expect(page).toHaveURL(/at=poem-1/)
  await expect(page.getByRole('button', { name: 'Continue from here' })).toBeVisible()
})
