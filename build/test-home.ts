import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { homeFolder } from '../main/paths.ts'

/**
 * Every test run gets a data folder of its own; QEMU and the image, which take minutes to make, come from the usual
 * one, so that what `npm test` builds is there for `npm start`.
 */
export default function setup(): (() => void) | undefined {
  if (process.env.GODHAND_TEST_HOME) return undefined // the caller brought one and removes it
  process.env.GODHAND_ASSETS ||= homeFolder()
  const home = mkdtempSync(path.join(tmpdir(), 'godhand-test-'))
  process.env.GODHAND_HOME = home
  process.env.GODHAND_TEST_HOME = home
  return () => rmSync(home, { recursive: true, force: true })
}
