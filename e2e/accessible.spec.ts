import { seriousFindings } from './axe.ts'
import { expect, test } from './make-believe.ts'
import { openScreen, screens } from './screens.ts'

test.use({ trace: 'off' }) // hundreds of pages in one test: recording them would take longer than the test

/** These look different without anything to show. */
const empty = ['welcome', 'time', 'library', 'machines', 'benchmarks']

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme, reducedMotion: 'reduce' })

    test('no screen has a serious finding', async ({ page, makeBelieve }) => {
      for (const screen of screens)
        await test.step(screen.name, async () => {
          await openScreen(page, makeBelieve, screen)
          expect.soft(await seriousFindings(page), screen.name).toEqual([])
        })
    })

    test('nor has one with nothing to show yet', async ({ page, emptyMakeBelieve }) => {
      for (const { name, path, heading } of screens.filter(({ name }) => empty.includes(name)))
        await test.step(name, async () => {
          await openScreen(page, emptyMakeBelieve, { name, path, heading })
          expect.soft(await seriousFindings(page), name).toEqual([])
        })
    })
  })
