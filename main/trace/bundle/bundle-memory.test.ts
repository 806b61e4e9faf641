import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/samples.ts'
import { checkSeal } from './seal.ts'

const script = fileURLToPath(new URL('../testing/export-large.ts', import.meta.url))
const run = promisify(execFile)

test('exporting 2,000 steps with their pictures stays under 300 MB of memory', async () => {
  const folder = temporaryFolder()
  await run(process.execPath, [script, 'fill', folder, '2000'])
  const start = performance.now()
  const { stdout } = await run(process.execPath, [script, 'export', folder])
  const megabytes = Number(stdout) / 1e6
  const file = path.join(folder, 'large.ghtrace')
  const size = fs.statSync(file).size / 1e6
  const seconds = (performance.now() - start) / 1000
  console.info(
    `2,000 steps: ${size.toFixed()} MB exported in ${seconds.toFixed(1)} s with ${megabytes.toFixed()} MB of memory`,
  )
  expect(size).toBeGreaterThan(200)
  expect(megabytes).toBeGreaterThan(10)
  expect(megabytes).toBeLessThan(300)
  expect((await checkSeal(file)).intact).toBe(true)
}, 120_000)
