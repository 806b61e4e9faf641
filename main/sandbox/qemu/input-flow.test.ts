import { describe, expect, it, vi } from 'vitest'
import type { InputEvent } from '../sandbox.ts'
import type { Pointer } from './display-link.ts'
import { InputFlow } from './input-flow.ts'

type Sent = { type: string; data: { down?: boolean; button?: string; axis?: string; key?: { data: string } } }

/** A guest with a keyboard and a tablet, that notes what it is sent, command by command. */
class Guest {
  readonly commands: string[] = []
  lampChanges = 0
  lampsWork = true
  onCommand: (command: string) => void = () => {}

  async execute(command: string, args?: Record<string, unknown>): Promise<unknown> {
    if (command === 'x-query-virtio') return ['/keyboard', '/tablet'].map((path) => ({ name: 'virtio-input', path }))
    if (command === 'x-query-virtio-queue-element') return { avail: { idx: 64 }, used: { idx: 0 } }
    if (command === 'x-query-virtio-queue-status') return { 'used-idx': this.lampChanges }
    const events = args?.events as Sent[]
    const words = events.map(({ type, data }) => {
      if (type === 'abs') return data.axis
      return `${data.down ? '+' : '-'}${data.button ?? data.key?.data}`
    })
    this.commands.push(words.join(' '))
    if (this.lampsWork && words[0] === '+num_lock') this.lampChanges++
    this.onCommand(words.join(' '))
    return {}
  }
}

const screen = () => ({ width: 1280, height: 800 })
const move = (x: number, y: number): InputEvent => ({ kind: 'move', to: { x, y } })
const button = (down: boolean): InputEvent => ({ kind: 'button', button: 'left', down })
const key = (code: string, down: boolean): InputEvent => ({ kind: 'key', code, down })
const click = [button(true), button(false)]

/** A display that has dealt with so much: the test says how far it has got. */
function display(guest: Guest) {
  const asked: string[] = []
  const known: { pointer: Pointer | null } = { pointer: { at: { x: 0, y: 0 }, buttons: 0 } }
  const pointer = async () => {
    asked.push(guest.commands.at(-1) ?? '')
    return known.pointer
  }
  return { asked, known, pointer }
}

describe('the flow of input', () => {
  it('sends a double click and the way there as one moment', async () => {
    const guest = new Guest()
    await new InputFlow(guest, { screen }).send([move(10, 10), ...click, ...click])
    expect(guest.commands).toEqual(['x y +left -left +left -left'])
  })

  it('uses one device only when the display has read the other', async () => {
    const guest = new Guest()
    const flow = new InputFlow(guest, { screen })
    await flow.send([key('ctrl', true)])
    await flow.send([{ kind: 'wheel', direction: 'down' }])
    await flow.send([key('ctrl', false)])
    const lock = ['+num_lock', '-num_lock']
    const turn = '+wheel-down -wheel-down'
    expect(guest.commands).toEqual(['+ctrl', ...lock, ...lock, turn, ...lock, ...lock, '-ctrl'])
  })

  it('sends nothing after a click before the display has dealt with it', async () => {
    const guest = new Guest()
    const shown = display(guest)
    const flow = new InputFlow(guest, { screen, display: shown })
    await flow.send([move(50, 60), ...click, ...click])
    const next = flow.send([move(200, 200)])
    await expect.poll(() => shown.asked.length).toBeGreaterThan(3)
    shown.known.pointer = { at: { x: 50, y: 60 }, buttons: 0x100 } // the press is held
    const before = shown.asked.length
    await expect.poll(() => shown.asked.length).toBeGreaterThan(before + 3)
    expect(guest.commands).toHaveLength(1)
    shown.known.pointer = { at: { x: 50, y: 60 }, buttons: 0 }
    await next
    expect(guest.commands).toEqual(['x y +left -left +left -left', 'x y'])
  })

  it('does not take the state before a click on the spot for the one after it', async () => {
    const guest = new Guest()
    const shown = display(guest)
    shown.known.pointer = { at: { x: 50, y: 60 }, buttons: 0 }
    const flow = new InputFlow(guest, { screen, display: shown })
    await flow.send([move(50, 60)])
    await flow.send([...click, ...click])
    await flow.send([move(70, 70)])
    expect(guest.commands.filter((command) => command === '+num_lock')).toHaveLength(2)
    expect(guest.commands.at(-1)).toBe('x y')
  })

  it('does without lamps that do not answer, and tries them again later', async () => {
    let clock = 0
    const now = vi.spyOn(performance, 'now').mockImplementation(() => {
      clock += 200
      return clock
    })
    const guest = new Guest()
    const flow = new InputFlow(guest, { screen })
    const switchDevices = async () => {
      await flow.send([key('a', true), key('a', false)])
      await flow.send([move(clock % 1000, 1)])
    }
    const presses = () => guest.commands.filter((command) => command === '+num_lock').length
    guest.lampsWork = false
    await switchDevices()
    await switchDevices()
    expect(presses()).toBe(2)
    clock += 60_000
    guest.lampsWork = true
    await switchDevices()
    const answered = presses()
    expect(answered).toBeGreaterThan(2)
    await switchDevices()
    expect(presses()).toBeGreaterThan(answered)
    now.mockRestore()
  })
})
