import { expect, test } from './make-believe.ts'

test('a newcomer is welcomed once, hears of no account and no telemetry, and is told how long it takes', async ({
  page,
  emptyMakeBelieve,
}) => {
  await page.goto(emptyMakeBelieve)
  await expect(page).toHaveURL(/\/welcome$/)
  await expect(page.getByText('No account, no telemetry')).toBeVisible()
  await expect(page.getByRole('region', { name: 'A model on this computer' }).getByRole('combobox')).toHaveText(
    /qwen3-vl/,
  )
  await page.getByRole('button', { name: 'Play the demo' }).click()
  await expect(page.getByRole('progressbar', { name: 'Getting your machine ready' })).toBeVisible()
  await expect(page.getByText(/time left|left$/)).toBeVisible()
  await page.getByRole('button', { name: 'Go to the app' }).click()
  await expect(page.getByRole('heading', { name: 'What should be done?' })).toBeVisible()
})

test('files are attached and left out, and tasks queued one after the other without leaving the page', async ({
  page,
  makeBelieve,
}) => {
  await page.goto(makeBelieve)
  await page.getByText('Local server', { exact: true }).click()
  await page.getByLabel('Model', { exact: true }).fill('qwen3-vl:8b')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files…' }).click()
  await (await chooser).setFiles([
    { name: 'sums.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
  ])
  const files = page.getByRole('list', { name: 'Files it gets' }).getByRole('listitem')
  await expect(files).toHaveCount(2)
  await page.getByRole('button', { name: 'Leave out notes.txt' }).click()
  await expect(files).toHaveText(/sums\.csv/)

  const goal = page.getByLabel('Goal')
  for (const words of ['Add up the sums', 'And once more']) {
    await goal.fill(words)
    await goal.press('Control+Shift+Enter')
    await expect(page.getByText(`Queued: ${words}`)).toBeVisible()
    await expect(goal).toHaveValue('')
  }
  await expect(files).toHaveCount(0)
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('link', { name: /And once more/ })).toBeVisible()
})

test('the palette finds commands and tasks, and everything is erased only with the words', async ({
  page,
  makeBelieve,
}) => {
  await page.goto(`${makeBelieve}/library`)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('diagn')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/diagnostics$/)
  await page.getByRole('button', { name: 'Erase everything…' }).click()
  const erase = page.getByRole('dialog').getByRole('button', { name: 'Erase everything' })
  await expect(erase).toBeDisabled()
  await page.keyboard.type('erase something')
  await expect(erase).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
