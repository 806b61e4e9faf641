import { expect, test } from './make-believe.ts'

test('a goal that a link brings is asked about, and never runs by itself', async ({ page, makeBelieve }) => {
  const runs: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => String(payload).includes('"task.run"') && runs.push(String(payload))),
  )
  const goal = 'Tidy the desktop & <b>delete</b> “old” files'
  await page.goto(`${makeBelieve}/?goal=${encodeURIComponent(goal)}`)
  const question = page.getByRole('dialog', { name: 'A link brought a task' })
  await expect(question).toContainText(goal)
  await page.keyboard.press('Enter') // the careful answer has the focus
  await expect(question).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Goal' })).toHaveValue('')
  await expect(page).toHaveURL(`${makeBelieve}/`)

  await page.goto(`${makeBelieve}/?goal=${encodeURIComponent(goal)}`)
  await question.getByRole('button', { name: 'Put it into the composer' }).click()
  await expect(page.getByRole('textbox', { name: 'Goal' })).toHaveValue(goal)
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Goal' })).toHaveValue(goal)
  expect(runs).toEqual([])
})
