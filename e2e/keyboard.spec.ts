import type { Page } from '@playwright/test'
import { expect, test } from './make-believe.ts'
import { openScreen, screens } from './screens.ts'

test.use({ trace: 'off' }) // hundreds of pages in one test: recording them would take longer than the test

test('every command is found in the palette, and chosen by keys alone', async ({ page, makeBelieve }) => {
  await page.goto(makeBelieve)
  await page.getByRole('heading', { name: 'What should be done?' }).waitFor()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog')
  const options = palette.getByRole('option')
  const labels = await options.locator(':scope > span:nth-child(2)').allTextContents()
  expect(labels.length).toBeGreaterThan(8)
  for (const [index, label] of labels.entries()) {
    if (index > 0) await page.keyboard.press('ArrowDown')
    await expect(palette.getByRole('option', { selected: true })).toContainText(label)
  }
  for (const label of labels) {
    await palette.getByRole('combobox').fill(label)
    await expect(options.first()).toContainText(label)
  }
  await palette.getByRole('combobox').fill('machines')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/machines')
})

test('every place has keys that lead to it, as the help says', async ({ page, makeBelieve }) => {
  await page.goto(makeBelieve)
  await page.getByRole('heading', { name: 'What should be done?' }).waitFor()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Library')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const places = {
    i: '/time',
    l: '/library',
    m: '/machines',
    b: '/benchmarks',
    s: '/settings/models',
    d: '/diagnostics',
    t: '/',
  }
  for (const [key, path] of Object.entries(places)) {
    await page.keyboard.press('g')
    await page.keyboard.press(key)
    await page.waitForURL(makeBelieve + path)
  }
})

test('arrow keys walk through the steps as soon as one is open', async ({ page, makeBelieve }) => {
  await page.goto(`${makeBelieve}/tasks/poem?step=3`)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/step=4$/)
})

test('Tab reaches everything that can be used, on every screen', async ({ page, makeBelieve }) => {
  for (const screen of screens.filter(({ name }) => name !== 'palette' && name !== 'shortcuts'))
    await test.step(screen.name, async () => {
      await openScreen(page, makeBelieve, screen)
      expect.soft(await unreachable(page), screen.name).toEqual([])
    })
})

/** Walks by Tab until nothing new comes, and names what it never came to. Of a group that arrow keys walk, one is enough. */
async function unreachable(page: Page): Promise<string[]> {
  const count = await page.evaluate(() => {
    const usable = 'a[href], button, input, select, textarea, summary, [role=button], [role=slider]'
    const place = document.querySelector('dialog[open]') ?? document // what is behind a dialog can't be used
    const all = [...place.querySelectorAll<HTMLElement>(usable)].filter(
      (element) =>
        element.checkVisibility() && !element.matches(':disabled, [tabindex="-1"]') && !element.closest('[inert]'),
    )
    for (const element of all) element.dataset.unreached = ''
    document.body.focus()
    return all.length
  })
  for (let presses = 0; presses < count + 20; presses++) {
    await page.keyboard.press('Tab')
    const left = await page.evaluate(() => {
      const here = document.activeElement
      if (here instanceof HTMLInputElement && here.type === 'radio')
        for (const one of document.querySelectorAll<HTMLElement>(`input[type=radio][name="${CSS.escape(here.name)}"]`))
          delete one.dataset.unreached
      if (here instanceof HTMLElement) delete here.dataset.unreached
      return document.querySelectorAll('[data-unreached]').length
    })
    if (left === 0) break
  }
  return await page.evaluate(() =>
    [...document.querySelectorAll('[data-unreached]')].map((element) => element.outerHTML.slice(0, 160)),
  )
}
