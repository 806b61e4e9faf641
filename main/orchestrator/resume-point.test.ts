import { expect, test } from 'vitest'
import { RunTask } from '../contract/task.ts'
import { noUsage } from '../contract/usage.ts'
import { sampleStep } from '../trace/testing/samples.ts'
import { resumePoint } from './resume-point.ts'

const request = RunTask.parse({ goal: 'x', planner: { kind: 'anthropic' } })
const conversation = { state: {}, open: false, spent: { steps: 0, usage: noUsage, elapsedMs: 0 } }
const step = (index: number, snapshotBefore: string | null, snapshotAfter: string | null = null) =>
  sampleStep('t', index, { snapshotBefore, snapshotAfter })

test('goes on from the newest snapshot, and names what came after it as undone', () => {
  const point = resumePoint(request, [step(0, null, 'a'), step(1, 'a')], conversation)
  expect(point).toMatchObject({ fromSnapshot: 'a', last: null, behind: 2 })
  expect(point.note).toContain('as it was after step 1')
  expect(resumePoint(request, [step(0, null)], conversation)).toMatchObject({ fromSnapshot: null })
})

test('right after a snapshot nothing is undone and nothing need be said', () => {
  expect(resumePoint(request, [step(0, null), step(1, null, 'a')], conversation)).toMatchObject({
    fromSnapshot: 'a',
    note: null,
  })
})

test('what was rolled back stays so: a newer snapshot of that time is not gone on from', () => {
  const steps = [step(0, null, 'good'), step(1, 'good', 'spoiled'), step(2, 'spoiled'), step(3, 'good')]
  const { fromSnapshot, note } = resumePoint(request, steps, conversation)
  expect(fromSnapshot).toBe('good')
  expect(note).toContain('as it was after step 3')
})
