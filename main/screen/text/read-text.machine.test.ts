import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDriver, type TestDriver } from '../../sandbox/qemu/testing.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { closeTextReader, readText } from './read-text.ts'
import { type KnownScreen, knownTerminal } from './testing/guest-screens.ts'
import { score } from './testing/score.ts'

let test: TestDriver
let machine: Sandbox

beforeAll(async () => {
  test = await openTestDriver()
  await test.driver.prepare('desktop', () => {})
  machine = await test.driver.create({ id: 'reading', image: 'desktop' })
})
afterAll(async () => {
  await closeTextReader()
  await test.close()
})

const screens: Record<string, () => Promise<KnownScreen>> = {
  'a dark terminal': () => knownTerminal(machine, 'dark', ['-bg', '#1b1d23', '-fg', '#d7dae0']),
  'a light terminal': () => knownTerminal(machine, 'light', ['-bg', 'white', '-fg', 'black']),
}

const tally = { found: 0, total: 0 }

it.each(Object.keys(screens))('reads %s: words with boxes within 6 pixels', async (name) => {
  const screen = await screens[name]?.()
  if (!screen) throw new Error(`no screen ${name}`)
  await readText({ ...screen.frame, rgb: Buffer.alloc(screen.frame.rgb.length) }) // the networks are loaded now
  const began = performance.now()
  const lines = await readText(screen.frame)
  const tookMs = Math.round(performance.now() - began)
  const { found, total, share, missed } = score(lines, screen.words)
  console.log(
    `${name}: ${found} of ${total} words, ${(share * 100).toFixed(1)} %, ${tookMs} ms; missed ${missed.slice(0, 8).join(' · ')}`,
  )
  tally.found += found
  tally.total += total
  expect(total).toBeGreaterThan(15)
  expect(share).toBeGreaterThan(0.9)
})

it('finds at least 95 % of all words', () => {
  expect(tally.found / tally.total).toBeGreaterThanOrEqual(0.95)
})
