import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { progressBar } from '../main/shell/progress-bar.mjs'
import { buildUi } from './build-ui.ts'
import { ensureChromium } from './chromium.ts'
import { root } from './root.ts'
import { exitWith } from './run-main.ts'

/** npm run screenshots: a picture of every screen, light and dark, for docs/screens. */
await exitWith(async () => {
  const chromium = ensureChromium((line) => process.stdout.write(`${line}\n`))
  const bar = progressBar()
  await buildUi(bar.report).finally(bar.done)
  const { status } = spawnSync(process.execPath, ['node_modules/@playwright/test/cli.js', 'test', 'screenshots'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, GODHAND_CHROMIUM: chromium, GODHAND_SCREENSHOTS: path.join(root, 'docs', 'screens') },
  })
  return status ?? 1
})
