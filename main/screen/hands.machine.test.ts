import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Action, type ActionInput } from '../contract/action.ts'
import { openTestDriver, type TestDriver } from '../sandbox/qemu/testing.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { performAction } from './input.ts'
import { settle } from './settle.ts'
import { atRest, start, windowArea } from './testing/guest-programs.ts'
import { underLoad } from './testing/host-load.ts'

/**
 * Hands on a loaded host. What arrived is read in the guest's own files. `GODHAND_ROUNDS=20` is the long run; every test
 * run does two.
 */
const rounds = Number(process.env.GODHAND_ROUNDS ?? 2)

const printable = Array.from({ length: 95 }, (_, at) => String.fromCodePoint(32 + at)).join('')
const foreign = 'ünï – 日本語 🙂 <>|"\'\\`$ ÀÉÎ ßøå €£¥ Привет Ωμέγα'
const text = `${printable}\n${foreign}\nllloooonnng rrepeaaats 11112222\n`

let test: TestDriver
let machine: Sandbox

beforeAll(async () => {
  test = await openTestDriver()
  await test.driver.prepare('desktop', () => {})
  machine = await test.driver.create({ id: 'hands', image: 'desktop' })
})
afterAll(() => test.close())

const act = (action: ActionInput) => performAction(machine, Action.parse(action))
const inGuest = async (file: string) => (await machine.readFile(file)).toString('utf8')
const size = async (file: string) => (await machine.exec(`stat -c %s ${file} 2>/dev/null`)).stdout.trim()

describe.each(Array.from({ length: rounds }, (_, at) => at + 1))('on a loaded host, round %i', (round) => {
  it('types every character into a terminal, none lost or doubled', async () => {
    const file = `/home/user/terminal-${round}.txt`
    const title = `Typing ${round}`
    await start(machine, ['xterm', '-title', title, '-e', `sh -c 'cat > ${file}'`])
    await windowArea(machine, title)
    await expect.poll(() => size(file), { timeout: 30_000 }).toBe('0')
    await atRest(machine)
    await underLoad(2, () => act({ type: 'type', text }))
    await act({ type: 'key', chord: 'ctrl+d' })
    await expect.poll(() => inGuest(file), { timeout: 30_000 }).toBe(text)
  })

  it('types every character into an editor and saves it with a chord', async () => {
    const file = `/home/user/editor-${round}.txt`
    await machine.writeFile(file, Buffer.alloc(0))
    await start(machine, ['l3afpad', file])
    await windowArea(machine, `editor-${round}.txt`)
    await atRest(machine)
    await underLoad(2, () => act({ type: 'type', text }))
    await act({ type: 'key', chord: 'ctrl+s' })
    await expect.poll(() => inGuest(file), { timeout: 30_000 }).toBe(text)
    await machine.exec('pkill l3afpad')
  })
})

describe('the wheel', () => {
  it('turns by as many notches as asked, up and down, told by a terminal', async () => {
    const file = '/home/user/wheel.txt'
    const listen = `printf "\\033[?1000h\\033[?1006h"; stty raw -echo; cat > ${file}`
    await start(machine, ['xterm', '-title', 'Wheel', '-geometry', '60x12+200+150', '-e', `sh -c '${listen}'`])
    const area = await windowArea(machine, 'Wheel')
    await expect.poll(() => size(file), { timeout: 30_000 }).toBe('0')
    const at = { x: area.x + 100, y: area.y + 50 }
    await underLoad(2, async () => {
      await act({ type: 'scroll', at, dy: 7 })
      await act({ type: 'scroll', at, dy: -4 })
    })
    const turns = async () => [...(await inGuest(file)).matchAll(/<(6[45]);/g)].map(([, code]) => code)
    const expected = [...Array<string>(7).fill('65'), ...Array<string>(4).fill('64')]
    await expect.poll(turns, { timeout: 30_000 }).toEqual(expected)
    await machine.exec('pkill xterm')
  })
})

describe('from a key to a verified screen', () => {
  it('is measured in a terminal, settling included', async () => {
    await start(machine, ['xterm', '-title', 'Echo', '-geometry', '60x10+200+200'])
    await windowArea(machine, 'Echo')
    await atRest(machine)
    const took: number[] = []
    for (let round = 0; round < 15; round++) {
      const before = await machine.capture()
      const began = performance.now()
      await act({ type: 'type', text: 'x' })
      const rest = await settle(machine, before)
      took.push(performance.now() - began)
      expect(rest).toMatchObject({ changed: true, settled: true })
    }
    const median = took.sort((a, b) => a - b)[7] ?? 0
    console.log(`key to verified screen: median ${Math.round(median)} ms of ${took.length}`)
    expect(median).toBeLessThan(1500) // 300 ms is the aim; a loaded host may take longer
  })
})
