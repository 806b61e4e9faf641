import { expect, it } from 'vitest'
import { Act, type ActInput } from '../../main/contract/action.ts'
import { marksOf } from './marks.ts'

const marks = (...acts: ActInput[]) => marksOf(acts.map((act) => Act.parse(act)))

it('puts a touch where a click says it is', () => {
  expect(marks({ type: 'click', at: { x: 10, y: 20 } })).toEqual([{ kind: 'touch', at: { x: 10, y: 20 }, number: 1 }])
})

it('puts a click without a place where the pointer was moved before', () => {
  expect(marks({ type: 'move', to: { x: 5, y: 6 } }, { type: 'click' })).toEqual([
    { kind: 'touch', at: { x: 5, y: 6 }, number: 2 },
  ])
})

it('draws nothing for a click whose place nobody knows, nor for keys and words', () => {
  expect(marks({ type: 'click' }, { type: 'type', text: 'hi' }, { type: 'key', chord: 'ctrl+s' })).toEqual([])
})

it('follows a drag to its end', () => {
  const path = [
    { x: 0, y: 0 },
    { x: 9, y: 9 },
  ]
  expect(marks({ type: 'drag', path }, { type: 'click' })).toEqual([
    { kind: 'path', points: path, number: 1 },
    { kind: 'touch', at: { x: 9, y: 9 }, number: 2 },
  ])
})
