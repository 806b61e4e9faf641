import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium as launcher } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { exportTrace } from '../export/export-trace.ts'
import { chromium } from '../testing/chromium.ts'
import { emptyHouse, paintedFrame, record } from '../testing/recorded.ts'
import { finished, sampleBranch, sampleMachine, sampleSnapshot } from '../testing/samples.ts'

const executablePath = chromium()
let browser: Browser | undefined
afterAll(() => browser?.close())

const attack = `"><img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script>`

/** A trace with everything a report can show, and an attack in every text. */
async function report(): Promise<string> {
  const house = await emptyHouse()
  const verdict = { pass: false, summary: attack, tookMs: 1, samples: 1, evidence: { [attack]: attack } }
  const checks = [{ assertion: { check: 'clipboard' as const, text: attack, match: 'exact' as const }, verdict }]
  const task = await record(house, {
    steps: 6,
    task: { goal: `Buy milk ${attack}`, verdict: attack, checks },
    step: (index) =>
      index === 2
        ? {
            thought: attack,
            verdict: 'fail',
            checks,
            actions: [
              {
                act: { type: 'type', text: attack },
                result: { ok: false, error: { code: 'timeout', message: attack } },
              },
            ],
          }
        : index === 4
          ? { before: null, after: null }
          : index === 3
            ? { branchId: 'branch_1' }
            : index === 1
              ? {
                  branchId: 'branch_2',
                  by: 'person',
                  notices: [attack],
                  dialogue: { question: attack, answer: attack },
                }
              : {},
  })
  const way = { plan: attack, verdict: attack, reasons: [attack], changes: [attack], checks }
  const lost = await paintedFrame(77) // shown by the tree alone
  await house.frames.put(lost.hash, lost.png)
  const { png: _, ...row } = lost
  house.store.frames.insert(row)
  house.store.branches.insert(sampleBranch(task.id, { ...way, id: 'branch_1', state: 'passed', won: true }))
  house.store.branches.insert(
    sampleBranch(task.id, { ...way, id: 'branch_2', option: 1, state: 'failed', unwanted: [attack], frame: lost.hash }),
  )
  const machine = sampleMachine({ taskId: task.id })
  house.store.machines.insert(machine)
  const snapshot = sampleSnapshot({ taskId: task.id, machineId: machine.id, label: attack })
  house.store.snapshots.begin(snapshot)
  house.store.snapshots.finish(snapshot.id, finished)
  const file = path.join(house.folder, 'report.html')
  await exportTrace(house.store, house.frames, task.id, 'html', file)
  return file
}

test('the report holds no address, no foreign script and no unescaped text', async () => {
  const page = fs.readFileSync(await report(), 'utf8')
  const withoutPictures = page.replace(/data:image\/webp;base64,[A-Za-z0-9+/=]+/g, '')
  expect(withoutPictures).not.toMatch(/https?:|src="(?!")|<img src=x|onerror="/)
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page).toContain(`default-src &#39;none&#39;`)
  expect(page.match(/data:image\/webp/g)?.length).toBe(8) // each picture once
})

test.skipIf(!executablePath)(
  'it opens from disk with the network off: keys, views and themes work, nothing complains',
  async () => {
    const file = await report()
    browser ??= await launcher.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] })
    const context = await browser.newContext({ offline: true, viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) complaints.push(request.url())
    })
    await page.goto(pathToFileURL(file).href)
    expect(await page.title()).toContain('Buy milk')
    expect(await page.locator('.step').count()).toBe(6)

    const focused = () => page.evaluate(() => document.activeElement?.id)
    await page.keyboard.press('j')
    expect(await focused()).toBe('step-1')
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe('step-2')
    await page.keyboard.press('f')
    expect(await focused()).toBe('step-3')
    await page.keyboard.press('b')
    const before = page.locator('#step-3 img.before')
    await before.waitFor({ state: 'visible' })
    await expect.poll(() => before.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320)
    await page.keyboard.press('v')
    await page.locator('#step-3 svg.boxes').waitFor({ state: 'visible' })
    await page.keyboard.press('v')
    expect(await before.evaluate((image) => getComputedStyle(image).mixBlendMode)).toBe('difference')
    await page.keyboard.press('w')
    expect(await focused()).toBe('way-1')
    await page.keyboard.press('w')
    expect(await focused()).toBe('way-2')
    const loser = page.locator('#way-2')
    expect(await loser.textContent()).toContain('did not get there')
    await expect.poll(() => loser.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320)
    await loser.getByRole('link', { name: 'Step 2' }).press('Enter')
    expect(await focused()).toBe('step-2')
    await page.locator('#step-2').getByRole('link', { name: 'Way 2' }).press('Enter')
    expect(await focused()).toBe('way-2')
    await page.keyboard.press('W')
    expect(await focused()).toBe('way-1')
    expect(await page.locator('#way-1').textContent()).toContain('won')
    await page.keyboard.press('End')
    expect(await focused()).toBe('step-6')
    await page.getByRole('button', { name: 'Only failed steps' }).click()
    expect(await page.locator('.step:visible').count()).toBe(1)
    await page.getByRole('button', { name: 'Only failed steps' }).click()
    await expect
      .poll(() =>
        page
          .locator('.strip img')
          .first()
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBeGreaterThan(0)

    const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    const Result = z.object({
      violations: z.array(
        z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.object({ html: z.string() })) }),
      ),
    })
    await page.evaluate(() => {
      for (const hidden of document.querySelectorAll('details')) hidden.open = true
    })
    for (const theme of ['light', 'dark']) {
      await page.evaluate((name) => {
        document.documentElement.dataset.theme = name
      }, theme)
      const { violations } = Result.parse(
        await page.evaluate(`(() => { const module = undefined; ${axe}; return axe.run() })()`),
      )
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      expect(serious.map(({ id, nodes }) => `${theme} ${id}: ${nodes[0]?.html}`)).toEqual([])
    }
    expect(await page.title()).not.toBe('owned')
    expect(complaints).toEqual([])
    await context.close()
  },
  60_000,
)
