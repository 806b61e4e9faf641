import { App } from './app.ts'
import { expect, test } from './engine.ts'

test.use({ trace: 'off' }) // the tests' own recording would be measured along

/** A number that changes about forty times a second, in the upper left corner, without starting a program for each. */
const clock = `setsid xterm -geometry 12x1+0+0 -fa Monospace -fs 24 -e bash -c 'exec 3<> <(:); while :; do printf "\\r%s" $EPOCHREALTIME; read -t 0.025 -u 3; done' >/dev/null 2>&1 </dev/null &`
const part = { x: 20, y: 20, width: 200, height: 60 }

test('the live view follows a moving clock at ten frames a second and more', async ({ page, engine }) => {
  await page.goto(await engine.start())
  const app = new App(page)
  await app.waitUntilReady()
  const { id } = JSON.parse(await engine.cli('vm', 'create', '--json'))
  await app.openMachine(id)
  await expect(app.liveDesktop).toBeVisible()
  await engine.cli('vm', 'exec', id, '--', 'sh', '-c', clock)
  const rates: number[] = []
  // Other work on the host can hold any second up: it follows if it does so for one stretch of three seconds.
  await expect
    .poll(
      async () => {
        rates.push(await app.framesPerSecond(part, 3000))
        return Math.max(...rates)
      },
      { timeout: 90_000, intervals: [0] },
    )
    .toBeGreaterThanOrEqual(10)
    .finally(() =>
      test
        .info()
        .annotations.push({ type: 'frames a second', description: rates.map((rate) => rate.toFixed(1)).join(', ') }),
    )
})
