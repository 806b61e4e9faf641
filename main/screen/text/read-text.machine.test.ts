import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDriver } from '../../sandbox/qemu/testing.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { performAction } from '../input.ts'
import { openBrowserMachine } from '../testing/browser-machine.ts'
import { closeTextReader, readText } from './read-text.ts'
import { type KnownScreen, knownTerminal, openKnownPages } from './testing/guest-screens.ts'
import { score } from './testing/score.ts'

let test: TestDriver
let machine: Sandbox
let page: Awaited<ReturnType<typeof openKnownPages>>

beforeAll(async () => {
  const open = await openBrowserMachine('reading')
  test = open.test
  machine = open.machine
  // A pointer hides what is under it.
  await performAction(machine, { type: 'move', to: { x: 1279, y: 799 } })
  page = await openKnownPages(machine)
})
afterAll(async () => {
  await closeTextReader()
  await test?.close()
})

const screens: [string, () => Promise<KnownScreen>][] = [
  ['a light page', () => page('light')],
  ['a dark page', () => page('dark')],
  ['a dialog', () => page('dialog')],
  ['a dark terminal', () => knownTerminal(machine, 'dark', ['-bg', '#1b1d23', '-fg', '#d7dae0'])],
  ['a light terminal', () => knownTerminal(machine, 'light', ['-bg', 'white', '-fg', 'black'])],
]

it.each(screens)('reads %s: 95 words of 100 or more, with boxes within 6 pixels', async (name, show) => {
  const screen = await show()
  // The networks are loaded now, and nothing of the screen before is remembered as its surroundings.
  await readText({ ...screen.frame, rgb: Buffer.alloc(screen.frame.rgb.length) })
  const began = performance.now()
  const lines = await readText(screen.frame)
  const tookMs = Math.round(performance.now() - began)
  const { found, total, share, missed } = score(lines, screen.words)
  console.log(
    `${name}: ${found} of ${total} words, ${(share * 100).toFixed(1)} %, ${tookMs} ms; missed ${missed.slice(0, 8).join(' · ')}`,
  )
  expect(total).toBeGreaterThan(15)
  expect(share, missed.join('\n')).toBeGreaterThanOrEqual(0.95)
})
