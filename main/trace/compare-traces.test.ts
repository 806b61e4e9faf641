import { expect, test } from 'vitest'
import { comparedRows, compareTraces } from './compare-traces.ts'
import { emptyHouse, record } from './testing/recorded.ts'
import { sampleStep } from './testing/samples.ts'

const step = (index: number, command: string, part: object = {}) =>
  sampleStep('task_1', index, {
    actions: [{ act: { type: 'exec', command, timeoutSeconds: 1 }, result: { ok: true, text: 'done' } }],
    ...part,
  })

test('a trace beside itself is the same in every step', async () => {
  const { store, ...house } = await emptyHouse()
  const { id } = await record({ store, ...house }, { steps: 4 })
  const { rows, summary } = compareTraces(store, id, id)
  expect(rows.map(({ a, b, kind }) => [a, b, kind])).toEqual([0, 1, 2, 3].map((n) => [n, n, 'same']))
  expect(summary[0]).toBe('Both succeeded.')
  expect(summary.at(-1)).toMatch(/^4 are alike/)
  expect(() => compareTraces(store, id, 'task_none')).toThrow('There is no trace task_none.')
})

test('a step more in one of them stands alone, and the others still stand side by side', () => {
  const a = [step(0, 'one'), step(1, 'two'), step(2, 'three')]
  const b = [step(0, 'one'), step(1, 'extra'), step(2, 'two', { verdict: 'fail' }), step(3, 'three')]
  expect(comparedRows(a, b)).toMatchObject([
    { a: 0, b: 0, kind: 'same' },
    { a: null, b: 1, kind: 'only_b' },
    { a: 1, b: 2, kind: 'differs', differences: ['The first is checked, the second failed.'] },
    { a: 2, b: 3, kind: 'same' },
  ])
})

test('what came out otherwise is said: answers, failures, screens', () => {
  const other = (result: object, part: object = {}) =>
    step(0, 'one', { actions: [{ act: { type: 'exec', command: 'one', timeoutSeconds: 1 }, result }], ...part })
  const said = (b: ReturnType<typeof step>, part: object = {}) =>
    comparedRows([step(0, 'one', part)], [b])[0]?.differences
  expect(said(other({ ok: true, text: 'else' }))).toEqual(['Action 1 answered something else.'])
  expect(said(other({ ok: false }))).toEqual(['Action 1 worked in the first only.'])
  expect(said(step(0, 'one', { after: 'b' }), { after: 'a' })).toEqual(['The screen afterwards is another.'])
})

test('of a replay it says what was found at each recorded step, and a click elsewhere is the same click', () => {
  const click = (x: number, part: object = {}) =>
    sampleStep('task_1', 0, {
      actions: [{ act: { type: 'click', at: { x, y: 5 }, button: 'left', count: 1 }, result: { ok: true } }],
      ...part,
    })
  const compared = [{ index: 0, outcome: 'moved' as const, note: null, share: 0.1, targets: [] }]
  expect(comparedRows([click(5, { after: 'a' })], [click(45, { after: 'b', compared })])).toMatchObject([
    { kind: 'same', replayed: { outcome: 'moved' } },
  ])
})
