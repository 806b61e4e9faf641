import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inputsKey } from './inputs-key.ts'
import { root } from './root.ts'

const STAMP = path.join(root, 'dist', 'prepared.stamp')

/**
 * Does the work unless it was done before, from the same recipes, and what it made is still there. Looking at every part
 * of it costs a start more than anything else; whoever uses a part looks at it anyway. Resolves with what was made.
 */
export async function oncePrepared(make: () => Promise<string[]>): Promise<void> {
  const key = [inputsKey(['vm']), process.env.GODHAND_QEMU, process.env.GODHAND_HOME, process.env.GODHAND_ASSETS]
  const lines = existsSync(STAMP) ? readFileSync(STAMP, 'utf8').split('\n') : []
  if (lines[0] === JSON.stringify(key) && lines.slice(1).every((made) => existsSync(made))) return
  rmSync(STAMP, { force: true })
  const made = await make()
  mkdirSync(path.dirname(STAMP), { recursive: true })
  writeFileSync(STAMP, [JSON.stringify(key), ...made].join('\n'))
}
