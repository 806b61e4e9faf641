import { expect, it } from 'vitest'
import { Redaction } from '../../main/contract/trace.ts'
import { aStep } from '../dev/samples.ts'
import { dragged, emptyDraft, redactionOf, shotsOf } from './draft.ts'

const size = { width: 1280, height: 800 }
const region = { x: 10, y: 20, width: 30, height: 40 }

it('asks for nothing while nothing is to be hidden', () => {
  expect(redactionOf(emptyDraft)).toBeNull()
  expect(redactionOf({ rectangles: [], words: [{ id: 1, text: ' ', match: 'text', replacement: '' }] })).toBeNull()
})

it('covers a rectangle everywhere, or in the one picture it is meant for', () => {
  const wish = redactionOf({
    rectangles: [
      { id: 1, region, style: 'black', frame: null },
      { id: 2, region, style: 'pixelate', frame: 'f1' },
    ],
    words: [{ id: 3, text: 'Ada', match: 'text', replacement: 'A.' }],
  })
  expect(Redaction.parse(wish)).toEqual({
    regions: [
      { region, style: 'black' },
      { region, style: 'pixelate', frames: ['f1'] },
    ],
    patterns: [{ text: 'Ada', match: 'text', replacement: 'A.' }],
  })
})

it('draws in whichever direction, within the screen, and takes a click for nothing', () => {
  expect(dragged({ x: 40.4, y: 60.2 }, { x: 10, y: 20 }, size)).toEqual({ x: 10, y: 20, width: 30, height: 40 })
  expect(dragged({ x: 1270, y: -5 }, { x: 1400, y: 10 }, size)).toEqual({ x: 1270, y: 0, width: 10, height: 10 })
  expect(dragged({ x: 5, y: 5 }, { x: 7, y: 300 }, size)).toBeNull()
})

it('shows every picture once, where it is first seen', () => {
  const steps = [aStep({ before: 'f0', after: 'f1' }), aStep({ index: 1, before: 'f1', after: 'f0' })]
  expect(shotsOf(steps)).toEqual([
    { frame: 'f0', step: 1, when: 'before' },
    { frame: 'f1', step: 1, when: 'after' },
  ])
})
