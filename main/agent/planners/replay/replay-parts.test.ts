import { expect, test } from 'vitest'
import type { Act } from '../../../contract/action.ts'
import type { Assertion } from '../../../contract/assertion.ts'
import { GodHandError } from '../../../contract/errors.ts'
import { typedValues } from '../../../contract/typed-values.ts'
import { lineOf } from '../../../screen/text/screen-text.ts'
import { compareScreens } from './agreement.ts'
import { questionOn, readAnswer } from './question.ts'
import { findByPicture, findInPlace } from './target.ts'
import { findByText } from './text-target.ts'
import { TinyDesktop } from './tiny-desktop.ts'
import { substitution } from './variables.ts'

const signal = new AbortController().signal
const screen = (options = {}) => new TinyDesktop(options).capture()

test('a moved window is the same screen, a missing one is not, whatever the pixels say', () => {
  const there = screen()
  expect(compareScreens(there, screen())).toEqual({ agrees: true, share: 0, colours: 0 })
  const moved = compareScreens(there, screen({ window: { x: 200, y: 150 } }))
  expect(moved.share).toBeGreaterThan(0.1)
  expect(moved.agrees).toBe(true)
  expect(compareScreens(there, screen({ hasApp: false })).agrees).toBe(false)
  expect(compareScreens(there, { ...there, width: 400, height: 640 }).agrees).toBe(false)
})

test('a target is found in place, else by its picture, and an empty area is found nowhere else', () => {
  const recorded = screen()
  const at = { x: 120, y: 130 }
  expect(findInPlace({ recorded, at, now: screen() }, signal)).toEqual({ at, by: 'place' })
  const now = screen({ window: { x: 300, y: 7 } })
  expect(findInPlace({ recorded, at, now }, signal)).toBeNull()
  expect(findByPicture({ recorded, at, now }, signal)).toEqual({ at: { x: 360, y: 87 }, by: 'picture' })
  expect(findByPicture({ recorded, at: { x: 500, y: 50 }, now }, signal)).toBeNull()
})

test('a target is found by the words that were pointed at', async () => {
  const word = (text: string, x: number, y: number, height = 10) => ({
    text,
    box: { x, y, width: text.length * height, height },
    confidence: 1,
  })
  const recorded = screen()
  const now = screen({ window: { x: 0, y: 0 } })
  const readText = (frame: object) =>
    Promise.resolve(
      frame === recorded
        ? [lineOf([word('Save', 100, 100), word('as', 150, 100)]), lineOf([word('Cancel', 300, 100)])]
        : [lineOf([word('Cancel', 20, 300, 20)]), lineOf([word('Save', 400, 300, 20), word('as', 500, 300, 20)])],
    )
  const find = findByText(readText)
  expect(await find({ recorded, now, at: { x: 330, y: 105 } }, signal)).toEqual({
    at: { x: 80, y: 310 },
    by: 'text',
    what: 'Cancel',
  })
  expect((await find({ recorded, now, at: { x: 110, y: 105 } }, signal))?.what).toBe('Save as')
  expect(await find({ recorded, now, at: { x: 600, y: 390 } }, signal)).toBeNull()
  const blind = findByText(() => Promise.reject(new GodHandError('unsupported', 'No.')))
  expect(await blind({ recorded, now, at: { x: 330, y: 105 } }, signal)).toBeNull()
})

test('values are replaced in actions and expectations, in expressions as letters, and never twice', () => {
  const { act, assertion } = substitution([
    { recorded: 'a.txt', value: 'b+c.txt' },
    { recorded: 'b', value: 'X' },
  ])
  const exec: Act = { type: 'exec', command: 'cp a.txt b', timeoutSeconds: 60 }
  expect(act(exec)).toEqual({ ...exec, command: 'cp b+c.txt X' })
  const regex: Assertion = { check: 'file_content', path: '/home/a.txt', text: '^a\\.txt$', match: 'regex' }
  expect(assertion(regex)).toEqual({ ...regex, path: '/home/a.txt'.replace('a.txt', 'b+c.txt'), text: '^b\\+c\\.txt$' })
  const command: Assertion = { check: 'command', argv: ['cat', 'a.txt'], exitCode: 0 }
  expect(assertion(command)).toEqual({ ...command, argv: ['cat', 'b+c.txt'] })
  const button: Act = { type: 'click', button: 'back', count: 1 }
  expect(act(button)).toEqual(button)
})

test('a hash or picture of the old value is not expected of the new one, and stays expected without one', () => {
  const hash: Assertion = { check: 'file_hash', path: '/a', sha256: 'a'.repeat(64) }
  const nested: Assertion = { check: 'all', of: [hash] }
  expect(substitution([{ recorded: 'x', value: 'y' }]).assertion(nested)).toBeNull()
  expect(substitution([{ recorded: 'x', value: 'x' }]).assertion(nested)).toBe(nested)
})

test('what was typed is offered as values', () => {
  const step = (acts: Act[]) => ({ index: 4, actions: acts.map((act) => ({ act, result: { ok: true } })) })
  const typed = step([
    { type: 'type', text: 'Ada\n' },
    { type: 'type', text: '\n' },
    { type: 'wait', seconds: 1 },
  ])
  expect(typedValues([typed])).toEqual([{ stepIndex: 4, recorded: 'Ada' }])
})

test('every answer that a question offers is understood, and nothing else by chance', () => {
  const turn = questionOn('Step 1: the screen is another.')
  const offered = turn.kind === 'ask' ? (turn.answers ?? []) : []
  expect(offered.map(readAnswer)).toEqual(['again', 'skip', 'stop'])
  expect(readAnswer('perhaps')).toBeNull()
})
