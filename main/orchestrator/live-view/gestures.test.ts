import { beforeEach, describe, expect, test } from 'vitest'
import type { Action } from '../../contract/action.ts'
import { Gestures } from './gestures.ts'

let gestures: Gestures
let now: number
let done: Action[][]
beforeEach(() => {
  gestures = new Gestures()
  now = 0
  done = []
})

const key = (keysym: number, down = true, after = 50) => {
  now += after
  done.push(...gestures.take({ kind: 'key', keysym, down }, now))
}
const press = (keysym: number) => {
  key(keysym, true)
  key(keysym, false)
}
const write = (text: string) => {
  for (const character of text) press(character.codePointAt(0) ?? 0)
}
const point = (buttons: number, x: number, y: number, after = 20) => {
  now += after
  done.push(...gestures.take({ kind: 'pointer', buttons, x, y }, now))
}
const click = (x: number, y: number, button = 1) => {
  point(button, x, y)
  point(0, x, y)
}
const rest = () => done.push(...gestures.finish())
const [CTRL, SHIFT, ALT, SUPER, RETURN, BACKSPACE, LEFT] = [0xffe3, 0xffe1, 0xffe9, 0xffeb, 0xff0d, 0xff08, 0xff51]

describe('keys', () => {
  test('letters become one text, Shift and all', () => {
    key(SHIFT)
    press(0x48)
    key(SHIFT, false)
    write('ello, wörld €')
    rest()
    expect(done).toEqual([[{ type: 'type', text: 'Hello, wörld €' }]])
  })

  test('Enter ends what was typed, and is part of it', () => {
    write('ls')
    press(RETURN)
    press(RETURN)
    expect(done).toEqual([[{ type: 'type', text: 'ls\n' }], [{ type: 'key', chord: 'Return', repeat: 1 }]])
  })

  test('a slip that is mended at once leaves no trace; an older one is deleted with a key', () => {
    write('helo')
    press(BACKSPACE)
    write('lo')
    rest()
    press(BACKSPACE)
    press(BACKSPACE)
    rest()
    expect(done).toEqual([[{ type: 'type', text: 'hello' }], [{ type: 'key', chord: 'BackSpace', repeat: 2 }]])
  })

  test('chords are named, each a thing of its own', () => {
    key(CTRL)
    press(0x73)
    key(SHIFT)
    press(0x54)
    key(SHIFT, false)
    key(CTRL, false)
    key(ALT)
    press(0xffc1)
    key(ALT, false)
    expect(done).toEqual([
      [{ type: 'key', chord: 'ctrl+s', repeat: 1 }],
      [{ type: 'key', chord: 'ctrl+shift+t', repeat: 1 }],
      [{ type: 'key', chord: 'alt+F4', repeat: 1 }],
    ])
  })

  test('a modifier alone counts only where it does something', () => {
    press(SHIFT)
    press(CTRL)
    rest()
    expect(done).toEqual([])
    press(SUPER)
    rest()
    expect(done).toEqual([[{ type: 'key', chord: 'super', repeat: 1 }]])
  })

  test('text and arrows between stay in order', () => {
    write('ac')
    press(LEFT)
    write('b')
    rest()
    expect(done).toEqual([
      [
        { type: 'type', text: 'ac' },
        { type: 'key', chord: 'Left', repeat: 1 },
        { type: 'type', text: 'b' },
      ],
    ])
  })
})

describe('the pointer', () => {
  test('on its way to a click is no act of its own', () => {
    for (let x = 0; x < 100; x += 10) point(0, x, x)
    click(100, 100)
    rest()
    expect(done).toEqual([[{ type: 'click', at: { x: 100, y: 100 }, button: 'left', count: 1 }]])
  })

  test('that was only brought somewhere was moved', () => {
    for (let x = 0; x <= 100; x += 10) point(0, x, 5)
    rest()
    expect(done).toEqual([[{ type: 'move', to: { x: 100, y: 5 } }]])
  })

  test('clicks twice and thrice; later and elsewhere it is another click', () => {
    click(50, 50)
    click(51, 50)
    click(51, 51)
    point(1, 50, 50, 2000)
    point(0, 50, 50)
    click(300, 50, 4)
    rest()
    expect(done.flat()).toMatchObject([
      { type: 'click', count: 3, button: 'left' },
      { type: 'click', count: 1, button: 'left' },
      { type: 'click', count: 1, button: 'right', at: { x: 300, y: 50 } },
    ])
  })

  test('drags along its path; a hand that trembles clicks', () => {
    point(1, 10, 10)
    for (let x = 10; x <= 500; x++) point(1, x, 20)
    point(0, 500, 20)
    rest()
    const [[drag] = []] = done
    expect(drag).toMatchObject({ type: 'drag', button: 'left' })
    const path = drag?.type === 'drag' ? drag.path : []
    expect([path[0], path.at(-1)]).toEqual([
      { x: 10, y: 10 },
      { x: 500, y: 20 },
    ])
    expect(path.length).toBeLessThanOrEqual(201)
    point(1, 10, 10)
    point(1, 12, 11)
    point(0, 12, 11)
    rest()
    expect(done[1]).toMatchObject([{ type: 'click', at: { x: 10, y: 10 } }])
  })

  test('turns the wheel in one go', () => {
    for (let n = 0; n < 4; n++) {
      point(16, 9, 9)
      point(0, 9, 9)
    }
    rest()
    expect(done).toEqual([[{ type: 'scroll', at: { x: 9, y: 9 }, dx: 0, dy: 4 }]])
  })

  test('clicks with keys held', () => {
    key(CTRL)
    click(1, 1)
    key(CTRL, false)
    rest()
    expect(done).toMatchObject([[{ type: 'click', modifiers: ['ctrl'] }]])
  })

  test('ends what was being typed', () => {
    write('abc')
    click(5, 5)
    expect(done).toEqual([[{ type: 'type', text: 'abc' }]])
  })
})

test('only what begins something new needs the screen before it', () => {
  const begins = (keysym: number) => gestures.begins({ kind: 'key', keysym, down: true }, now)
  expect(begins(0x61)).toBe(true)
  expect(begins(SHIFT)).toBe(false)
  write('a')
  expect(begins(0x62)).toBe(false)
  const at = (buttons: number) => gestures.begins({ kind: 'pointer', buttons, x: 5, y: 5 }, now)
  expect(at(0)).toBe(false)
  expect(at(1)).toBe(true)
  click(5, 5)
  expect(at(1)).toBe(false)
})
