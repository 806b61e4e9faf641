import { expect, test } from 'vitest'
import type { Step } from '../contract/task.ts'
import { sampleStep } from './testing/samples.ts'
import { type History, wayTo } from './way-to-step.ts'

const did = (type: 'exec' | 'checkpoint' | 'rollback', name: string): Step['actions'][number] => {
  if (type === 'checkpoint') return { act: { type, label: name }, result: { ok: true, snapshot: `snap_${name}` } }
  if (type === 'rollback') return { act: { type, to: name, why: 'It went wrong.' }, result: { ok: true } }
  return { act: { type, command: name, timeoutSeconds: 1 }, result: { ok: true } }
}

function history(steps: Partial<Step>[], parents: Record<string, string | null> = {}, root: string | null = null) {
  const made = steps.map((part, index) => sampleStep('task_1', index, { actions: [did('exec', `e${index}`)], ...part }))
  return { steps: made, parentOf: (id: string) => parents[id], root } satisfies History
}
const commands = (steps: Step[]) =>
  steps.flatMap(({ actions }) => actions.map(({ act }) => (act.type === 'exec' ? act.command : act.type)))
const all = () => true
const none = () => false

test('a step that was kept is there at once', () => {
  const past = history([{}, { snapshotAfter: 'snap_1' }, {}])
  expect(wayTo(past, 1, all)).toEqual({ fromSnapshot: 'snap_1', steps: [] })
})

test('a step that was not begins at the nearest earlier one, and what came in between is done again', () => {
  const past = history([{ snapshotAfter: 'snap_0' }, {}, { snapshotAfter: 'snap_2' }, {}, {}])
  const { fromSnapshot, steps } = wayTo(past, 4, all)
  expect(fromSnapshot).toBe('snap_2')
  expect(commands(steps)).toEqual(['e3', 'e4'])
  const further = wayTo(past, 4, (id) => id === 'snap_0')
  expect(further.fromSnapshot).toBe('snap_0')
  expect(commands(further.steps)).toEqual(['e1', 'e2', 'e3', 'e4'])
})

test('without any snapshot it is a fresh desktop and every step, or where the task itself began', () => {
  expect(wayTo(history([{}, {}]), 1, none)).toMatchObject({ fromSnapshot: null, steps: [{ index: 0 }, { index: 1 }] })
  expect(wayTo(history([{}, {}], {}, 'snap_root'), 1, all).fromSnapshot).toBe('snap_root')
})

test('a checkpoint at the end of a step is where that step is', () => {
  const past = history([{ actions: [did('exec', 'e0'), did('checkpoint', 'draft')] }, {}])
  expect(wayTo(past, 0, all)).toEqual({ fromSnapshot: 'snap_draft', steps: [] })
  expect(commands(wayTo(past, 1, all).steps)).toEqual(['e1'])
})

test('what was rolled back is not done again, also when its checkpoint is gone', () => {
  const past = history(
    [
      { machineId: 'vm_a', actions: [did('exec', 'good'), did('checkpoint', 'here'), did('exec', 'late')] },
      { machineId: 'vm_a', actions: [did('exec', 'bad')] },
      { machineId: 'vm_b', actions: [did('rollback', 'here')] },
      { machineId: 'vm_b', actions: [did('exec', 'better')] },
    ],
    { vm_a: null, vm_b: 'snap_here' },
  )
  expect(commands(wayTo(past, 3, all).steps)).toEqual(['better'])
  const anew = wayTo(past, 3, none)
  expect(anew.fromSnapshot).toBeNull()
  expect(commands(anew.steps)).toEqual(['good', 'better'])
})

test('of several branches only the one that won is on the way', () => {
  const past = history(
    [
      { machineId: 'vm_a' },
      { machineId: 'vm_l', branchId: 'branch_1', actions: [did('exec', 'loser')] },
      { machineId: 'vm_w', branchId: 'branch_2', actions: [did('exec', 'winner')] },
      {
        machineId: 'vm_w',
        actions: [
          {
            act: { type: 'branch', options: [], checks: [], limits: { maxSteps: 1, maxSeconds: 1 } },
            result: { ok: true },
          },
        ],
      },
      { machineId: 'vm_w' },
    ],
    { vm_a: null, vm_l: 'snap_fork', vm_w: 'snap_fork' },
  )
  expect(commands(wayTo(past, 4, none).steps)).toEqual(['e0', 'winner', 'e4'])
  expect(wayTo(past, 4, all)).toMatchObject({ fromSnapshot: 'snap_fork', steps: [{ index: 2 }, { index: 4 }] })
})

test('what a person did by hand was done on the machine of the steps around it', () => {
  const past = history([{ machineId: 'vm_a' }, { by: 'person' }, { machineId: 'vm_a' }], { vm_a: null })
  expect(commands(wayTo(past, 2, none).steps)).toEqual(['e0', 'e1', 'e2'])
})
