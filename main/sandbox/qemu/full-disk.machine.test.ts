import { execFileSync } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDriver, type TestDriver } from './testing.ts'

let test: TestDriver
let mounted = false

beforeAll(async () => {
  test = await openTestDriver()
  await test.driver.prepare('desktop', () => {})
  await fs.mkdir(test.paths.machines, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', test.paths.machines], { stdio: 'ignore' })
    mounted = true
  } catch {
    // only root may, and not everywhere
  }
})
afterAll(async () => {
  await test.driver.close()
  if (mounted) execFileSync('umount', ['-l', test.paths.machines])
  await test.close()
})

it('a machine whose host has no room left stands still, says so, and goes on when there is', async (context) => {
  if (!mounted) return context.skip('a small disk cannot be mounted here')
  const filler = path.join(test.paths.machines, 'filler')
  await fs.writeFile(filler, Buffer.alloc(24 << 20))
  const machine = await test.driver.create({ id: 'm1', image: 'desktop' })
  let told = 0
  machine.onHeld(() => told++)
  await machine.exec('setsid -f sh -c "head -c 30M /dev/urandom > ~/big; sync; echo done > ~/done; sync"')
  await expect
    .poll(() => machine.state, { timeout: 60_000 })
    .toMatchObject({ kind: 'paused', reason: { code: 'disk_full' } })
  await expect(machine.exec('true')).rejects.toMatchObject({ code: 'disk_full' })
  expect(told).toBe(1)
  await fs.rm(filler)
  await machine.resume()
  await expect
    .poll(async () => (await machine.exec('cat ~/done; stat -c %s ~/big')).stdout, { timeout: 60_000 })
    .toBe(`done\n${30 << 20}\n`)
  await machine.destroy()
})
