import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { expect, test } from './make-believe.ts'
import { openScreen, screens } from './screens.ts'

test.use({ trace: 'off' }) // hundreds of pages in one test: recording them would take longer than the test

/** The pictures of docs/screens, made anew by `npm run screenshots`. */
const folder = process.env.GODHAND_SCREENSHOTS
test.skip(!folder, 'pictures are made by `npm run screenshots`')

/** One or two of the settings stand for all of them, and what is the exception needs no picture. */
const pictured = screens.filter(
  ({ name }) =>
    !/^(settings-(?!models|storage)|time|task-failed|not-found|shortcuts|library-|compare-choose)/.test(name),
)

const sizes = { 1280: 800, 1920: 1080 }

for (const colorScheme of ['light', 'dark'] as const)
  for (const [width, height] of Object.entries(sizes))
    test.describe(() => {
      test.use({ colorScheme, reducedMotion: 'reduce', viewport: { width: Number(width), height } })

      test(`${colorScheme}, ${width} wide`, async ({ page, makeBelieve }) => {
        await mkdir(folder ?? '', { recursive: true })
        const clear = (await page.goto(makeBelieve))?.ok()
        expect(clear).toBe(true)
        for (const screen of pictured)
          await test.step(screen.name, async () => {
            await openScreen(page, makeBelieve, screen)
            const file = path.join(folder ?? '', `${screen.name}-${colorScheme}-${width}.webp`)
            await sharp(await page.screenshot())
              .webp({ quality: 80, effort: 6 })
              .toFile(file)
          })
      })
    })
