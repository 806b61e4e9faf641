import { describe, expect, it } from 'vitest'
import { aMachine, anInfo, aStep, aTask } from '../dev/samples.ts'
import { applyEvent, emptyWorld, lastFrame, liveMachines, newestFirst, withLists, withTaskDetail } from './world.ts'

const running = aTask({ id: 't1', state: 'running' })
const world = withLists(emptyWorld, { info: anInfo(), tasks: [running], machines: [aMachine({ id: 'm1' })] })

describe('steps', () => {
  it('come in order however they arrive, each once', () => {
    let next = world
    for (const index of [0, 2, 1, 2, 3])
      next = applyEvent(next, { type: 'step', step: aStep({ taskId: 't1', index, thought: `n${index}` }) })
    expect(next.steps.t1?.map((step) => step.thought)).toEqual(['n0', 'n1', 'n2', 'n3'])
    expect(next.tasks.t1?.stepCount).toBe(4)
  })

  it('heard before the task was fetched are kept when the answer is older', () => {
    const heard = applyEvent(world, { type: 'step', step: aStep({ taskId: 't1', index: 2 }) })
    const fetched = withTaskDetail(heard, {
      task: { ...running, stepCount: 2 },
      steps: [aStep({ taskId: 't1', index: 0 }), aStep({ taskId: 't1', index: 1 })],
    })
    expect(fetched.steps.t1?.map((step) => step.index)).toEqual([0, 1, 2])
    expect(fetched.tasks.t1?.stepCount).toBe(3)
  })

  it('of a thousand arrive one by one without touching those already there', () => {
    let next = world
    for (let index = 0; index < 1000; index++)
      next = applyEvent(next, { type: 'step', step: aStep({ taskId: 't1', index }) })
    const before = next.steps.t1
    next = applyEvent(next, { type: 'step', step: aStep({ taskId: 't1', index: 1000 }) })
    expect(next.steps.t1).toHaveLength(1001)
    expect(next.steps.t1?.[500]).toBe(before?.[500])
  })
})

describe('a task', () => {
  it('does not go back to running when an old answer comes late', () => {
    const over = applyEvent(world, { type: 'task', task: { ...running, state: 'succeeded', verdict: 'Done.' } })
    const late = applyEvent(over, { type: 'task', task: running })
    expect(late.tasks.t1?.state).toBe('succeeded')
  })

  it('loses its activity line when it is over', () => {
    const busy = applyEvent(world, { type: 'activity', taskId: 't1', phase: 'thinking', text: 'Hm' })
    expect(busy.activity.t1).toEqual({ phase: 'thinking', text: 'Hm' })
    const over = applyEvent(busy, { type: 'task', task: { ...running, state: 'stopped' } })
    expect(over.activity.t1).toBeUndefined()
  })

  it('that the restarted engine calls interrupted has no activity either', () => {
    const busy = applyEvent(world, { type: 'activity', taskId: 't1', phase: 'acting', text: 'Click' })
    const back = withLists(busy, { info: anInfo(), tasks: [{ ...running, state: 'interrupted' }], machines: [] })
    expect(back.tasks.t1?.state).toBe('interrupted')
    expect(back.activity).toEqual({})
  })

  it('is listed newest first', () => {
    const older = aTask({ id: 'a', createdAt: '2026-01-01T00:00:00.000Z' })
    const newer = aTask({ id: 'b', createdAt: '2026-02-01T00:00:00.000Z' })
    expect(newestFirst({ a: older, b: newer }).map((task) => task.id)).toEqual(['b', 'a'])
  })
})

describe('machines', () => {
  it('that died are kept for their page but not listed', () => {
    const dead = applyEvent(world, {
      type: 'machine',
      machine: aMachine({
        id: 'm1',
        state: { kind: 'dead', reason: { code: 'machine_died', message: 'QEMU ended.' } },
      }),
    })
    expect(liveMachines(dead.machines)).toEqual([])
    expect(dead.machines.m1?.state.kind).toBe('dead')
  })

  it('the engine no longer lists are gone', () => {
    expect(withLists(world, { info: anInfo(), tasks: [], machines: [] }).machines).toEqual({})
  })
})

describe('the last picture', () => {
  it('is the newest one there is, before or after', () => {
    const steps = [
      aStep({ taskId: 't1', index: 0, before: 'a', after: 'b' }),
      aStep({ taskId: 't1', index: 1, before: 'c', after: null }),
      aStep({ taskId: 't1', index: 2, before: null, after: null }),
    ]
    expect(lastFrame(steps)).toBe('c')
    expect(lastFrame([])).toBeNull()
  })
})

describe('a task that was interrupted', () => {
  it('goes on when it is resumed, though others only move forwards', () => {
    const hear = (from: typeof world, state: 'interrupted' | 'queued' | 'running' | 'succeeded') =>
      applyEvent(from, { type: 'task', task: { ...running, state, stepCount: 3 } })
    const resumed = hear(hear(world, 'interrupted'), 'queued')
    expect(resumed.tasks.t1).toMatchObject({ state: 'queued', stepCount: 3 })
    expect(hear(hear(world, 'succeeded'), 'running').tasks.t1?.state).toBe('succeeded')
  })
})
