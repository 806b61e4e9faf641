import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { root } from './root.ts'

/** Of everything in these files and folders of the project but their tests: another key, another result. */
export function inputsKey(inputs: string[]): string {
  const hash = createHash('sha256')
  for (const input of inputs)
    for (const file of filesIn(input))
      hash
        .update(`${file}\0`)
        .update(readFileSync(path.join(root, file)))
        .update('\0')
  return hash.digest('hex')
}

function filesIn(input: string): string[] {
  const place = path.join(root, input)
  if (!existsSync(place)) return []
  if (statSync(place).isFile()) return [input]
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort()
}
