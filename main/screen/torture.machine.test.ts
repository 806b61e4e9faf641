import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Action, type ActionInput, type Point, type Region } from '../contract/action.ts'
import type { TestDriver } from '../sandbox/qemu/testing.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { performAction } from './input.ts'
import { openBrowserMachine } from './testing/browser-machine.ts'
import { waitFor } from './testing/guest-programs.ts'
import { underLoad } from './testing/host-load.ts'
import { torture } from './testing/torture.ts'
import { heardByPage, openTorturePage, pageHearing, writtenBy } from './testing/torture-page.ts'
import {
  emptyTerminalFile,
  heardByTerminal,
  openTortureTerminal,
  originFrom,
  terminalFile,
  terminalHearing,
} from './testing/torture-terminal.ts'

/**
 * Typing, clicking, dragging, scrolling and modifiers in any order and without a pause, on a loaded host. What arrived is
 * read in files that the programs in the guest wrote. `GODHAND_ROUNDS=20` is the long run; every test run does two.
 * `GODHAND_SEED` repeats a row of acts that went wrong.
 */
const rounds = Number(process.env.GODHAND_ROUNDS ?? 2)
const firstSeed = Number(process.env.GODHAND_SEED ?? Date.now() % 1_000_000)
const seeds = Array.from({ length: rounds }, (_, round) => ({ round, seed: firstSeed + round }))
const length = 12

let test: TestDriver
let machine: Sandbox

beforeAll(async () => {
  ;({ test, machine } = await openBrowserMachine('torture'))
})
afterAll(() => test.close())

const act = (action: ActionInput) => performAction(machine, Action.parse(action))
const actUnderLoad = (acts: ActionInput[]) =>
  underLoad(2, async () => {
    for (const one of acts) await act(one)
  })
const middle = ({ x, y, width, height }: Region) => ({ x: Math.round(x + width / 2), y: Math.round(y + height / 2) })

describe('in a browser', () => {
  let area: Region
  let notch: Point

  beforeAll(async () => {
    area = await openTorturePage(machine)
    await act({ type: 'scroll', at: middle(area), dy: 1 })
    await act({ type: 'scroll', at: { x: area.x + 9, y: area.y + 9 }, dx: 1 })
    await act({ type: 'key', chord: 'F9' })
    const { heard } = await heardByPage(machine, 0, { x: 1, y: 1 })
    const [, y, x] = /^wheel 0 (\d+) at .*\nwheel (\d+) 0 at /.exec(heard.join('\n')) ?? []
    notch = { x: Number(x), y: Number(y) }
  })

  it.each(seeds)('every event arrives, in order, at its place, with its modifiers (seed $seed)', async (one) => {
    const { acts, expected } = torture(one.seed, length, { ...pageHearing, area })
    await actUnderLoad(acts)
    await act({ type: 'key', chord: 'F9' })
    const { heard, written } = await heardByPage(machine, 1 + one.round, notch)
    expect(heard).toEqual(expected)
    expect(written).toBe(writtenBy(expected))
  })
})

describe('in a terminal', () => {
  let area: Region
  let origin: Point

  beforeAll(async () => {
    area = await openTortureTerminal(machine)
    await act({ type: 'click', at: middle(area) })
    const file = await waitFor(30_000, async () => {
      const written = await terminalFile(machine)
      return written.endsWith('m') ? written : null
    })
    origin = originFrom(file, middle(area))
  })

  it.each(seeds)('every event arrives, in order, at its place, with its modifiers (seed $seed)', async ({ seed }) => {
    await emptyTerminalFile(machine)
    const { acts, expected } = torture(seed, length, { ...terminalHearing, area })
    await actUnderLoad(acts)
    await expect
      .poll(async () => heardByTerminal(await terminalFile(machine), origin), { timeout: 30_000 })
      .toEqual(expected)
  })
})
