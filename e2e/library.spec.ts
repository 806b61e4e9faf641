import { test as base, expect, startMakeBelieve } from './make-believe.ts'
import { hideThings } from './screens.ts'

/** Each test changes what is in the library, so each has one of its own. */
const test = base.extend<{ library: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from here
  library: async ({}, use) => {
    const engine = await startMakeBelieve('--pace', '200')
    await use(engine.url)
    engine.end()
  },
})

test('two traces are chosen and laid side by side, and the address holds where one is', async ({ page, library }) => {
  await page.goto(`${library}/library`)
  await page.getByRole('checkbox', { name: /once more/ }).check()
  await expect(page.getByText('Choose another trace to lay beside it.')).toBeVisible()
  await page.getByRole('checkbox', { name: /Show what you can do/ }).check()
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(page).toHaveURL(/\/compare\?a=poem&b=again$/) // the older one first
  const facts = page.getByRole('table', { name: 'The two traces' })
  await expect(facts.getByRole('row', { name: /Who thought/ })).toContainText('replay:poem')
  const rows = page.getByRole('region', { name: 'Step by step' }).getByRole('listitem')
  await expect(rows).toHaveCount(6)
  await page.getByText('Only what differs').click()
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('“Text Editor” was 40 px elsewhere')

  await rows.last().getByRole('button').click()
  await expect(page).toHaveURL(/only=differences&row=5$/)
  await page.reload()
  const closer = page.getByRole('dialog')
  await expect(closer.getByRole('img', { name: /What changed between/ })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page).toHaveURL(/row=2$/)
  await page.keyboard.press('Escape')
  await expect(closer).toHaveCount(0)

  await page.getByRole('button', { name: 'Swap sides' }).click()
  await expect(page).toHaveURL(/a=again&b=poem/)
  await page.goto(`${library}/compare?a=poem&b=nothing`)
  await expect(page.getByRole('alert')).toContainText('There is no trace nothing.')
})

test('a trace finds its partner from its own page', async ({ page, library }) => {
  await page.goto(`${library}/tasks/poem`)
  await page.getByRole('link', { name: 'Compare with…' }).click()
  await page.getByLabel('Search for a trace').fill('invoices')
  await page.getByRole('link', { name: /invoices/ }).click()
  await expect(page).toHaveURL(/\/compare\?a=poem&b=invoices$/)
  await expect(page.getByText('Only first').first()).toBeVisible()
})

test('a tag is put on, narrows the library down, survives a reload, and is taken off', async ({ page, library }) => {
  await page.goto(`${library}/library`)
  const rows = page.getByRole('checkbox', { name: /^Choose/ })
  await expect(rows).toHaveCount(5)
  await page.getByRole('button', { name: /Tags of “Collect/ }).click()
  const field = page.getByLabel('Add a tag')
  await expect(field).toBeFocused()
  await field.fill('!')
  await field.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Up to 60 letters')
  await field.fill('to pay')
  await field.press('Enter')
  await expect(page.getByRole('button', { name: 'Take off the tag to pay' })).toBeVisible()
  await field.press('Escape')
  await page.getByRole('button', { name: 'Only traces tagged to pay' }).click()
  await expect(page).toHaveURL(/\/library\?tag=to\+pay$/)
  await expect(rows).toHaveCount(1)
  await page.reload()
  await expect(rows).toHaveCount(1)
  await page.getByRole('button', { name: /Tags of “Collect/ }).click()
  await page.getByRole('button', { name: 'Take off the tag to pay' }).click()
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(rows).toHaveCount(5)
})

test('what must not leave is drawn over and named, seen as it will be, and exported so', async ({ page, library }) => {
  await page.goto(`${library}/tasks/poem`)
  await hideThings(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('row', { name: /Save it as poem\.txt/ })).toContainText('Save it as █████.txt')
  const picture = dialog.getByRole('img', { name: 'as it will be exported' })
  const colourAt = (x: number, y: number) =>
    picture.evaluate(
      async (element, at) => {
        if (!(element instanceof HTMLImageElement)) throw new Error('there is no picture')
        await element.decode()
        const context = new OffscreenCanvas(element.naturalWidth, element.naturalHeight).getContext('2d')
        context?.drawImage(element, 0, 0)
        return [...(context?.getImageData(at.x, at.y, 1, 1).data ?? [])].slice(0, 3)
      },
      { x, y },
    )
  expect(await colourAt(300, 180)).toEqual([0, 0, 0])
  expect(await colourAt(300, 400)).not.toEqual([0, 0, 0])

  await dialog.getByLabel('Meant as').selectOption('regex')
  await dialog.getByLabel('Words 1', { exact: true }).fill('(')
  await expect(dialog.getByRole('alert')).toContainText('is not a regular expression')
  const take = dialog.getByRole('button', { name: 'Export without them' })
  await expect(take).toBeDisabled()
  await dialog.getByLabel('Words 1', { exact: true }).fill('po.m')
  await expect(take).toBeEnabled()
  const download = page.waitForEvent('download')
  await take.click()
  expect((await download).suggestedFilename()).toBe('poem-redacted.ghtrace')
})

test('a replay types other values, asks where the screen disagrees, and ends with what it found', async ({
  page,
  library,
}) => {
  await page.goto(`${library}/tasks/poem`)
  await page.getByRole('button', { name: 'Replay', exact: true }).click()
  const form = page.getByRole('dialog')
  await expect(form.getByRole('button', { name: 'Start the replay' })).toBeFocused()
  await form.getByLabel(/^Value 2/).fill('sea.txt')
  await form.getByRole('button', { name: 'Start the replay' }).click()
  await expect(page).not.toHaveURL(/poem$/)
  const question = page.getByRole('region', { name: 'It has a question' })
  await expect(question).toContainText('is not on the screen')
  await question.getByRole('button', { name: 'Try it again' }).click()
  const report = page.getByRole('region', { name: 'Compared with the recording' })
  await expect(report).toContainText('4 of 6 recorded steps came out as recorded.')
  await expect(page.getByText('Type “sea.txt”')).toBeVisible()
  await report.getByRole('link', { name: 'See both, step by step' }).click()
  await expect(page).toHaveURL(/\/compare\?a=poem&b=t\d+$/)
  await expect(page.getByText('The second is a replay of the first.')).toBeVisible()
})

test('what is freed is said before a trace is deleted, with its machines and without', async ({ page, library }) => {
  await page.goto(`${library}/library`)
  await page.getByRole('button', { name: /Delete “Show what/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('status')).toContainText('This frees 1.7 MB.')
  await dialog.getByRole('checkbox').check()
  await expect(dialog.getByRole('status')).toContainText('This frees 373 MB.')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('link', { name: /Show what you can do/ })).toHaveCount(0)
})

test('limits say what would go and how much that frees, before they are in force', async ({ page, library }) => {
  await page.goto(`${library}/settings/storage`)
  const card = page.getByRole('region', { name: 'How long traces stay' })
  await expect(card.getByRole('status')).toHaveText('Everything is kept.')
  await card.getByLabel('Traces', { exact: true }).fill('2')
  await expect(card.getByRole('status')).toHaveText('3 traces go now, which frees up to 2.2 MB.')
  await card.getByText('Which traces go').click()
  await expect(card.getByRole('listitem')).toHaveCount(3)
  await card.getByRole('button', { name: 'Save and remove now…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('3 traces are gone.')).toBeVisible()
  await expect(card.getByRole('status')).toHaveText('With these limits nothing goes now.')
  await expect(page.getByText('2 traces with 12 steps')).toBeVisible()
})
