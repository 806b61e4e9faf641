import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { _electron, expect, test } from '@playwright/test'
import { bundleElectron } from '../build/bundle-electron.ts'
import { findElectron } from '../build/electron-binary.ts'
import { currentPaths, pathsIn } from '../main/paths.ts'

const found = findElectron()

/** The window itself. Where Electron's binary is missing the same code is tested against a stand-in of its module. */
test.skip(found.binary === null, `Electron can't run here: ${found.binary === null ? found.reason : ''}`)

test('the app opens in its own window, asks about a link, and remembers its place', async () => {
  const home = await mkdtemp(path.join(os.tmpdir(), 'gh-window-'))
  const app = await _electron.launch({
    executablePath: found.binary ?? '',
    args: [await bundleElectron()],
    env: { ...process.env, GODHAND_HOME: home, GODHAND_ASSETS: currentPaths().assets },
  })
  try {
    const window = await app.firstWindow()
    await expect(window.getByRole('textbox', { name: 'Goal' })).toBeVisible()
    expect(await window.evaluate(() => 'process' in globalThis || 'require' in globalThis)).toBe(false)

    await app.evaluate(({ app: program }) => {
      program.emit('open-url', { preventDefault() {} }, 'godhand://run?goal=Write%20a%20letter')
    })
    await expect(window.getByRole('dialog')).toContainText('Write a letter')
    await app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.setBounds({ x: 30, y: 40, width: 1010, height: 710 })
    })
  } finally {
    await app.close()
  }
  const kept = JSON.parse(await readFile(pathsIn(home).window, 'utf8'))
  expect(kept.place.bounds).toMatchObject({ width: 1010, height: 710 })
  await rm(home, { recursive: true, force: true })
})
