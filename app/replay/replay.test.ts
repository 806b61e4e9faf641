import { expect, it } from 'vitest'
import type { ReplayedStep } from '../../main/contract/replay.ts'
import { aStep } from '../dev/samples.ts'
import { replayOf, reportOf } from './report.ts'
import { valuesOf, variablesOf } from './values.ts'

const typing = (index: number, ...texts: string[]) =>
  aStep({ index, actions: texts.map((text) => ({ act: { type: 'type', text }, result: { ok: true } })) })

it('lists what was typed once each, with every step that typed it', () => {
  expect(valuesOf([typing(0, 'Ada\n'), typing(1), typing(2, 'poem.txt', 'Ada')])).toEqual([
    { recorded: 'Ada', steps: [1, 3] },
    { recorded: 'poem.txt', steps: [3] },
  ])
})

it('makes variables of what was changed, also to nothing, and of nothing else', () => {
  const typed = new Map([
    ['Ada', 'Grace'],
    ['poem.txt', 'poem.txt'],
    ['bye', ''],
  ])
  expect(variablesOf(typed)).toEqual([
    { recorded: 'Ada', value: 'Grace' },
    { recorded: 'bye', value: '' },
  ])
})

it('counts a step that was tried again as it came out last', () => {
  const found = (index: number, outcome: ReplayedStep['outcome']): ReplayedStep => ({
    index,
    outcome,
    note: null,
    share: null,
    targets: [],
  })
  const steps = [
    aStep({ compared: [found(1, 'stopped')] }),
    aStep({ index: 1, compared: [found(0, 'agrees'), found(1, 'agrees')] }),
  ]
  expect(reportOf(steps).map(({ index, outcome }) => [index, outcome])).toEqual([
    [0, 'agrees'],
    [1, 'agrees'],
  ])
})

it('knows what a replay did again', () => {
  expect(replayOf('replay:task_1')).toBe('task_1')
  expect(replayOf('anthropic:claude')).toBeNull()
})
