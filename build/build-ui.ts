import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { GodHandError } from '../main/contract/errors.ts'
import type { OnProgress } from '../main/contract/progress.ts'
import { inputsKey } from './inputs-key.ts'
import { root } from './root.ts'

const INPUTS = ['app', 'main/contract', 'vite.config.ts', 'package-lock.json']
const PAGE = path.join(root, 'dist', 'app', 'index.html')
const STAMP = path.join(root, 'dist', 'app.stamp')

/** Builds the page when what it is made of has changed since it was built last. */
export async function buildUi(onProgress: OnProgress): Promise<void> {
  const key = inputsKey(INPUTS)
  if (existsSync(PAGE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === key) return
  rmSync(STAMP, { force: true })
  onProgress({ step: 'Building the page', done: 0, total: -1 })
  const { build } = await import('vite')
  try {
    await build({ configFile: path.join(root, 'vite.config.ts'), logLevel: 'error' })
  } catch (cause) {
    throw new GodHandError('internal', `The page could not be built: ${GodHandError.from(cause).message}`, { cause })
  }
  writeFileSync(STAMP, key)
}
