import { describe, expect, it } from 'vitest'
import { Action, type ActionInput } from '../contract/action.ts'
import type { InputEvent } from '../sandbox/sandbox.ts'
import { parseChords } from './input/chord.ts'
import { pace } from './input/hands.ts'
import { strokeFor } from './input/us-layout.ts'
import { performAction } from './input.ts'
import { DrawnSandbox } from './testing/drawn-sandbox.ts'

const perform = (sandbox: DrawnSandbox, action: ActionInput) => performAction(sandbox, Action.parse(action))

/** What a US keyboard's listener would have read, with the meanings that xmodmap gave to spare keys. */
function listen(sandbox: DrawnSandbox): { text: string } {
  const heard = { text: '' }
  const keycodes = new Map(Array.from({ length: 12 }, (_, n) => [`f${13 + n}`, 191 + n]))
  const taught = new Map<number, string[]>()
  sandbox.onExec = (argv, options) => {
    if (!argv.includes('xmodmap')) return undefined
    for (const line of String(options.stdin).trim().split('\n')) {
      const [, keycode, ...symbols] = line.replace('= ', '').split(' ')
      taught.set(Number(keycode), symbols)
    }
    return {}
  }
  const printable = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).concat('\n', '\t')
  let shift = false
  sandbox.onInput = (events) => {
    for (const event of events) {
      if (event.kind !== 'key') continue
      if (event.code === 'shift') shift = event.down
      else if (event.down) {
        const plain = printable.find((c) => strokeFor(c)?.code === event.code && strokeFor(c)?.shift === shift)
        const symbol = taught.get(keycodes.get(event.code) ?? 0)?.[shift ? 1 : 0]
        heard.text += plain ?? (symbol ? String.fromCodePoint(Number.parseInt(symbol.slice(1), 16)) : '�')
      }
    }
  }
  return heard
}

describe('chords', () => {
  it.each([
    ['ctrl+shift+t', [['ctrl', 'shift', 't']]],
    ['Return', [['ret']]],
    ['super', [['meta_l']]],
    ['Super_L', [['meta_l']]],
    ['XF86AudioPlay', [['audioplay']]],
    ['ctrl++', [['ctrl', 'shift', 'equal']]],
    ['ctrl+plus', [['ctrl', 'shift', 'equal']]],
    ['+', [['shift', 'equal']]],
    ['ctrl+-', [['ctrl', 'minus']]],
    ['ctrl+minus', [['ctrl', 'minus']]],
    ['Ctrl+C', [['ctrl', 'c']]],
    ['CTRL+SHIFT+C', [['ctrl', 'shift', 'c']]],
    ['A', [['shift', 'a']]],
    ['a', [['a']]],
    ['Page_Down', [['pgdn']]],
    ['PageDown', [['pgdn']]],
    ['page down', [['pgdn']]],
    ['Next', [['pgdn']]],
    ['ARROWLEFT', [['left']]],
    ['alt+F4', [['alt', 'f4']]],
    ['KP_Enter', [['kp_enter']]],
    ['t+ctrl', [['ctrl', 't']]],
    ['Down Down Return', [['down'], ['down'], ['ret']]],
    ['ctrl + c', [['ctrl', 'c']]],
    ['ctrl+space', [['ctrl', 'spc']]],
    [' ', [['spc']]],
    ['?', [['shift', 'slash']]],
    ['cmd+L', [['meta_l', 'l']]],
  ])('reads %j', (text, keys) => expect(parseChords(text)).toEqual(keys))

  it.each(['ctrl+nonsense', 'ctrl+ü', '++a', ''])('refuses %j by name', (text) =>
    expect(() => parseChords(text)).toThrow(expect.objectContaining({ code: 'bad_request' })),
  )
})

describe('typing', () => {
  it('types every printable character of the keyboard as itself', async () => {
    const sandbox = new DrawnSandbox()
    const heard = listen(sandbox)
    const text = `${Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).join('')}\n\t end`
    await perform(sandbox, { type: 'type', text })
    expect(heard.text).toBe(text)
    expect(sandbox.commands).toEqual([])
  })

  it('types characters that are on no key, in order with the others', async () => {
    const sandbox = new DrawnSandbox()
    const heard = listen(sandbox)
    const text = 'ünï – 日本語 🙂 <>|"\'\\`$ ü'
    await perform(sandbox, { type: 'type', text })
    expect(heard.text).toBe(text)
  })

  it('teaches the guest only what it does not know yet', async () => {
    const sandbox = new DrawnSandbox()
    const heard = listen(sandbox)
    await perform(sandbox, { type: 'type', text: '日本 日' })
    await perform(sandbox, { type: 'type', text: '本日' })
    expect(heard.text).toBe('日本 日本日')
    expect(sandbox.commands).toHaveLength(1)
  })

  it('gives a spare key a new meaning only after programs had time to read the old one', async () => {
    const sandbox = new DrawnSandbox()
    const heard = listen(sandbox)
    const text = Array.from({ length: 30 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('')
    const started = performance.now()
    await perform(sandbox, { type: 'type', text })
    expect(heard.text).toBe(text)
    expect(sandbox.commands).toHaveLength(2)
    expect(performance.now() - started).toBeGreaterThan(1400)
  })

  it('keeps each key whole within a batch that a virtio keyboard can hold', async () => {
    const sandbox = new DrawnSandbox()
    await perform(sandbox, { type: 'type', text: 'Hello, WORLD! '.repeat(20) })
    for (const batch of sandbox.batches) {
      expect(batch.length).toBeLessThanOrEqual(pace.keyEventsPerBatch)
      const held = new Set<string>()
      for (const event of batch) {
        if (event.kind !== 'key') continue
        if (event.down) held.add(event.code)
        else held.delete(event.code)
      }
      expect([...held]).toEqual([])
    }
  })

  it('names the characters it cannot type when the guest runs no commands', async () => {
    const sandbox = new DrawnSandbox()
    await expect(perform(sandbox, { type: 'type', text: 'naïve' })).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('ï'),
    })
    expect(sandbox.events).toEqual([])
  })

  it('refuses control characters', async () => {
    await expect(perform(new DrawnSandbox(), { type: 'type', text: 'a\u0003' })).rejects.toMatchObject({
      code: 'bad_request',
    })
  })
})

const button = (down: boolean, name = 'left'): InputEvent => ({ kind: 'button', button: name as 'left', down })
const key = (code: string, down: boolean): InputEvent => ({ kind: 'key', code, down })

describe('the pointer', () => {
  it('moves and clicks with modifiers held around it', async () => {
    const sandbox = new DrawnSandbox()
    await perform(sandbox, { type: 'click', at: { x: 10.4, y: 20 }, modifiers: ['ctrl', 'Shift'] })
    expect(sandbox.events).toEqual([
      key('ctrl', true),
      key('shift', true),
      { kind: 'move', to: { x: 10, y: 20 } },
      button(true),
      button(false),
      key('shift', false),
      key('ctrl', false),
    ])
  })

  it('goes and clicks three times at once, so that no pause of the guest comes between', async () => {
    const sandbox = new DrawnSandbox()
    await perform(sandbox, { type: 'click', at: { x: 1, y: 1 }, count: 3, button: 'right' })
    const once = [button(true, 'right'), button(false, 'right')]
    expect(sandbox.batches).toEqual([[{ kind: 'move', to: { x: 1, y: 1 } }, ...once, ...once, ...once]])
  })

  it('drags along every corner of the path with points in between', async () => {
    const sandbox = new DrawnSandbox()
    const path = [
      { x: 10, y: 10 },
      { x: 210, y: 10 },
      { x: 210, y: 110 },
    ]
    await perform(sandbox, { type: 'drag', path })
    const [first, pressed, ...rest] = sandbox.events
    expect([first, pressed]).toEqual([{ kind: 'move', to: path[0] }, button(true)])
    expect(rest.at(-1)).toEqual(button(false))
    const points = rest.flatMap((event) => (event.kind === 'move' ? [event.to] : []))
    expect(points.length).toBeGreaterThan(10)
    expect(points).toContainEqual(path[1])
    expect(points.at(-1)).toEqual(path[2])
  })

  it('turns the wheel a notch at a time', async () => {
    const sandbox = new DrawnSandbox()
    await perform(sandbox, { type: 'scroll', dy: -2 })
    expect(sandbox.events).toEqual([
      { kind: 'wheel', direction: 'up' },
      { kind: 'wheel', direction: 'up' },
    ])
  })

  it('scrolls sideways by the guest, else by shift and the wheel', async () => {
    const sandbox = new DrawnSandbox()
    await perform(sandbox, { type: 'scroll', dx: 1 })
    expect(sandbox.events).toEqual([key('shift', true), { kind: 'wheel', direction: 'down' }, key('shift', false)])
    sandbox.batches.length = 0
    sandbox.onExec = () => ({})
    await perform(sandbox, { type: 'scroll', dx: -3 })
    expect(sandbox.events).toEqual([])
    expect(sandbox.commands.at(-1)).toEqual(expect.arrayContaining(['xdotool', '--repeat', '3', '6']))
  })

  it.each<ActionInput>([
    { type: 'click', at: { x: 641, y: 5 } },
    { type: 'move', to: { x: 5, y: -1 } },
    { type: 'move', to: { x: Number.NaN, y: 1 } },
    {
      type: 'drag',
      path: [
        { x: 1, y: 1 },
        { x: 1, y: 9000 },
      ],
    },
    { type: 'zoom', region: { x: 600, y: 0, width: 100, height: 10 } },
    { type: 'click', at: { x: 5, y: 5 }, modifiers: ['a'] },
    { type: 'scroll', dy: 1, at: { x: 9999, y: 0 } },
  ])('refuses $type off the screen and has done nothing', async (action) => {
    const sandbox = new DrawnSandbox()
    const parsed = action.type === 'move' ? (action as Action) : Action.parse(action)
    await expect(performAction(sandbox, parsed)).rejects.toMatchObject({ code: 'bad_request' })
    expect(sandbox.events).toEqual([])
  })

  it('takes the edge of the screen for its last pixel', async () => {
    const sandbox = new DrawnSandbox()
    await perform(sandbox, { type: 'move', to: { x: 640, y: 400 } })
    expect(sandbox.events).toEqual([{ kind: 'move', to: { x: 639, y: 399 } }])
  })

  it('says where the pointer is: by the guest, else by its own last move', async () => {
    const sandbox = new DrawnSandbox()
    await expect(perform(sandbox, { type: 'cursor' })).rejects.toMatchObject({ code: 'unsupported' })
    await perform(sandbox, { type: 'move', to: { x: 7, y: 8 } })
    expect(await perform(sandbox, { type: 'cursor' })).toEqual({ text: 'X=7,Y=8' })
    sandbox.onExec = () => ({ stdout: 'X=11\nY=12\nSCREEN=0\nWINDOW=5\n' })
    expect(await perform(sandbox, { type: 'cursor' })).toEqual({ text: 'X=11,Y=12' })
  })
})

describe('keys', () => {
  it('repeats a chord', async () => {
    const sandbox = new DrawnSandbox()
    await perform(sandbox, { type: 'key', chord: 'shift+Tab', repeat: 2 })
    const once = [key('shift', true), key('tab', true), key('tab', false), key('shift', false)]
    expect(sandbox.events).toEqual([...once, ...once])
  })

  it('lets go of held keys when the wait is stopped', async () => {
    const sandbox = new DrawnSandbox()
    const stop = new AbortController()
    const held = performAction(sandbox, { type: 'hold', chord: 'a', seconds: 60 }, stop.signal)
    setTimeout(() => stop.abort(), 20)
    await expect(held).rejects.toMatchObject({ code: 'cancelled' })
    expect(sandbox.events).toEqual([key('a', true), key('a', false)])
  })
})
