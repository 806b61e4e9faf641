import { expect, test } from 'vitest'
import type { Branch } from '../../contract/branching.ts'
import type { Step } from '../../contract/task.ts'
import { sampleBranch, sampleStep } from '../testing/samples.ts'
import { branchTree, isTree, type Line, treeStep } from './branch-tree.ts'
import { placesIn } from './step-place.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString()
/** In the order they ended, each begun at a second of its own. */
const stepsOf = (...parts: (Partial<Step> & { second: number })[]) =>
  parts.map(({ second, ...part }, index) => treeStep(sampleStep('task_1', index, { ...part, startedAt: at(second) })))
const machine = (id: string, parentSnapshot: string | null) => ({
  id,
  name: id,
  driver: 'fake',
  image: 'desktop',
  parentSnapshot,
  createdAt: at(0),
  endedAt: null,
})
const way = (id: string, option: number, part: Partial<Branch> = {}) =>
  sampleBranch('task_1', { id, option, createdAt: at(3), plan: id, ...part })

/** 1 [way a: 2 3 | way b: (way c: 4) 5] 6 */
function told(line: Line): string {
  return line
    .map((part) =>
      part.kind === 'run'
        ? `${part.steps.map(({ index }) => index + 1).join(' ')}${part.undoneBy ? ` undone by ${part.undoneBy.index + 1}` : ''}`
        : `[${part.ways.map(({ branch, line: inside }) => `${branch.id}: ${told(inside)}`).join(' | ')}]`,
    )
    .join(', ')
}

test('choices stand where they were made, with the steps of each way inside, however they came in', () => {
  const steps = stepsOf(
    { second: 0 },
    { second: 4, branchId: 'b' },
    { second: 4, branchId: 'a' },
    { second: 7, branchId: 'c' },
    { second: 5, branchId: 'b' }, // began before the choice inside it, ended after
    { second: 2 }, // the step that branched ends last
    { second: 9 },
  )
  const branches = [
    way('b', 1),
    way('a', 0, { won: true }),
    way('c', 0, { parentId: 'b', decisionId: 'choice_2', createdAt: at(6) }),
  ]
  const line = branchTree(steps, { machines: [], snapshots: [], branches })
  expect(told(line)).toBe('1, [a: 3 | b: 2, [c: 4], 5], 6 7')
  expect(isTree(line)).toBe(true)
  const places = placesIn(line)
  expect(places.get(2)).toEqual({ name: 'Way 1', way: 1, pruned: false, undoneBy: null })
  expect(places.get(3)).toMatchObject({ name: 'Way 2 › Way 1', way: 3, pruned: true })
  expect([0, 5, 6].map((index) => places.get(index))).toEqual([undefined, undefined, undefined])
})

test('what a machine went back behind is undone, by an act or by itself; a machine that merely changed undoes nothing', () => {
  const steps = stepsOf(
    { second: 0, machineId: 'vm_1', snapshotAfter: 'snap_1' },
    { second: 1, machineId: 'vm_1' },
    { second: 2, machineId: 'vm_1' },
    {
      second: 3,
      machineId: 'vm_2',
      actions: [{ act: { type: 'rollback', to: 'good', why: 'It broke.' }, result: { ok: true } }],
    },
    { second: 4, machineId: 'vm_3' },
  )
  const machines = [machine('vm_1', null), machine('vm_2', 'snap_1'), machine('vm_3', 'snap_unknown')]
  const line = branchTree(steps, { machines, snapshots: [] })
  expect(told(line)).toBe('1, 2 3 undone by 4, 4 5')
  expect(line[1]).toMatchObject({ undoneBy: { wentBackTo: 'good' } })
  expect(placesIn(line).get(1)).toEqual({ name: null, way: null, pruned: true, undoneBy: 3 })
})

test('a trace that went straight on is no tree, and branches that name each other end', () => {
  expect(isTree(branchTree(stepsOf({ second: 0 }, { second: 1 }), { machines: [], snapshots: [] }))).toBe(false)
  const circle = [
    way('a', 0),
    ...Array.from({ length: 50 }, (_, n) => way('a', n, { parentId: 'a', decisionId: `choice_${n}` })),
  ]
  const line = branchTree([], { machines: [], snapshots: [], branches: circle })
  expect(told(line).length).toBeLessThan(2000)
})
