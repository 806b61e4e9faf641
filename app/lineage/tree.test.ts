import { describe, expect, it } from 'vitest'
import type { Snapshot } from '../../main/contract/machine.ts'
import { aBranch, aMachine, aSnapshot } from '../dev/samples.ts'
import { linesOf, nodeSize, placeTree } from './tree.ts'

const at = (id: string, parentId: string | null, minute: number, over: Partial<Snapshot> = {}) =>
  aSnapshot({ id, parentId, createdAt: `2026-11-02T09:${String(minute).padStart(2, '0')}:00.000Z`, ...over })

it('puts children to the right of what they came from, and overlaps nothing', () => {
  const snapshots = [at('a', null, 0), at('b', 'a', 1), at('c', 'a', 2), at('d', 'c', 3)]
  const placed = placeTree(snapshots, [aMachine({ id: 'm', parentSnapshot: 'd' })])
  const by = new Map(placed.map((one) => [one.node.id, one]))
  for (const one of placed) {
    const parent = by.get(one.parentId ?? '')
    if (parent) expect(one.x).toBeGreaterThan(parent.x + nodeSize.width)
    for (const other of placed)
      if (other !== one && other.x === one.x) expect(Math.abs(other.y - one.y)).toBeGreaterThanOrEqual(nodeSize.height)
  }
  expect(by.get('living:m')?.parentId).toBe('d')
  expect(by.get('a')?.parentId).toBe('origin:desktop')
})

it('has the branch with the newest moment on top', () => {
  const placed = placeTree([at('a', null, 0), at('late', 'a', 2), at('early', 'a', 1), at('newest', 'early', 9)], [])
  const y = (id: string) => placed.find(({ node }) => node.id === id)?.y ?? Number.NaN
  expect(y('early')).toBeLessThan(y('late'))
})

it('keeps a snapshot whose parent was deleted', () => {
  expect(placeTree([at('orphan', 'gone', 0)], []).map(({ node }) => node.id)).toEqual(['origin:desktop', 'orphan'])
})

it('shows nothing when nothing was kept', () => {
  expect(placeTree([], [])).toEqual([])
})

it('shows for one task what it made and what that stands on', () => {
  const snapshots = [
    at('base', null, 0, { taskId: 'old' }),
    at('side', 'base', 1, { taskId: 'old' }),
    at('mine', 'base', 2, { taskId: 'new' }),
  ]
  expect(linesOf(snapshots, 'new').map(({ id }) => id)).toEqual(['base', 'mine'])
})

it('places a thousand nodes at once', () => {
  const snapshots = Array.from({ length: 1000 }, (_, n) =>
    at(`s${n}`, n === 0 ? null : `s${Math.floor((n - 1) / 2)}`, 0),
  )
  expect(placeTree(snapshots, [])).toHaveLength(1001)
})

describe('ways that were tried', () => {
  const snapshots = [
    aSnapshot({ id: 'choice' }),
    aSnapshot({ id: 'kept', parentId: 'choice', machineId: 'vm-kept', createdAt: '2026-11-02T09:01:00.000Z' }),
  ]
  const ended = { fromSnapshot: 'choice', endedAt: '2026-11-02T09:02:00.000Z' }
  const ways = (over: Parameters<typeof aBranch>[0]) =>
    placeTree(snapshots, [], [aBranch({ ...ended, ...over })]).flatMap(({ node, parentId }) =>
      node.kind === 'way' ? [[node.id, parentId]] : [],
    )

  it('hang where the choice was made, or where their machine was last kept', () => {
    expect(ways({ id: 'lost', state: 'failed' })).toEqual([['way:lost', 'choice']])
    expect(ways({ id: 'later', state: 'failed', machineId: 'vm-kept' })).toEqual([['way:later', 'kept']])
  })

  it('are left out where a moment says it already, and while they are under way', () => {
    expect(ways({ state: 'failed', endSnapshot: 'kept' })).toEqual([])
    expect(ways({ state: 'passed', won: true, machineId: 'vm-kept' })).toEqual([])
    expect(ways({ state: 'running', endedAt: null })).toEqual([])
    expect(ways({ id: 'won', state: 'passed', won: true })).toEqual([['way:won', 'choice']])
  })

  it('are lost with the moment they began at', () => {
    expect(ways({ state: 'failed', fromSnapshot: 'deleted' })).toEqual([])
  })
})
