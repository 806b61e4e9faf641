import { describe, expect, it } from 'vitest'
import { aBranch, aStep } from '../dev/samples.ts'
import { decisionOfStep, decisionsOf, isJudged } from './decisions.ts'

describe('choices of a task', () => {
  it('are its own, in order, each with its ways by number', () => {
    const branches = [
      aBranch({ id: 'b2', decisionId: 'later', option: 0, createdAt: '2026-11-02T09:05:00.000Z' }),
      aBranch({ id: 'a1', decisionId: 'first', option: 1 }),
      aBranch({ id: 'a0', decisionId: 'first', option: 0 }),
      aBranch({ id: 'inner', decisionId: 'nested', parentId: 'a0' }),
    ]
    expect(decisionsOf(branches).map(({ id, branches }) => [id, branches.map((branch) => branch.id)])).toEqual([
      ['first', ['a0', 'a1']],
      ['later', ['b2']],
    ])
  })

  it('are judged when one has won or all were told why', () => {
    expect(isJudged([aBranch({ state: 'running' }), aBranch({ state: 'failed', reasons: ['It failed.'] })])).toBe(false)
    expect(isJudged([aBranch({ state: 'passed' })])).toBe(false)
    expect(isJudged([aBranch({ state: 'passed', won: true })])).toBe(true)
    expect(isJudged([aBranch({ state: 'failed', reasons: ['It failed.'] })])).toBe(true)
  })

  it('belong to the step during which they were made', () => {
    const [decision] = decisionsOf([aBranch({ createdAt: '2026-11-02T09:00:03.000Z' })])
    const during = (startedAt: string, totalMs: number) =>
      decisionOfStep(decision ? [decision] : [], aStep({ startedAt, timing: { ...aStep().timing, totalMs } }))
    expect(during('2026-11-02T09:00:02.000Z', 7000)).toBe(decision)
    expect(during('2026-11-02T09:00:02.000Z', 500)).toBeUndefined()
    expect(during('2026-11-02T09:00:04.000Z', 7000)).toBeUndefined()
  })
})
