import { type HierarchyPointNode, stratify, tree } from 'd3-hierarchy'
import type { Branch } from '../../main/contract/branching.ts'
import type { Machine, Snapshot } from '../../main/contract/machine.ts'

/** A point of time: where a machine began, a moment that was kept, a way that ended, or a machine that lives on. */
export type TimeNode =
  | { kind: 'origin'; id: string; image: string }
  | { kind: 'moment'; id: string; snapshot: Snapshot }
  | { kind: 'way'; id: string; branch: Branch; from: string | null; image: string }
  | { kind: 'living'; id: string; machine: Machine }

export type Placed = { node: TimeNode; parentId: string | null; x: number; y: number }

const everything = 'everything'
export const nodeSize = { width: 208, height: 172 }
const gap = { across: 56, down: 28 }

const originOf = (image: string) => `origin:${image}`

/** A snapshot whose parent was deleted stands on its origin again, so that none is ever lost from view. */
function parentOf(node: TimeNode, known: ReadonlySet<string>): string {
  switch (node.kind) {
    case 'origin':
      return everything
    case 'moment': {
      const { parentId, image } = node.snapshot
      return parentId !== null && known.has(parentId) ? parentId : originOf(image)
    }
    case 'way':
      return node.from !== null && known.has(node.from) ? node.from : originOf(node.image)
    case 'living': {
      const { parentSnapshot, image } = node.machine
      return parentSnapshot !== null && known.has(parentSnapshot) ? parentSnapshot : originOf(image)
    }
  }
}

/** Time runs to the right, and the newest line of events is on top. */
export function placeTree(
  snapshots: readonly Snapshot[],
  machines: readonly Machine[],
  branches: readonly Branch[] = [],
): Placed[] {
  const moments = snapshots.map((snapshot): TimeNode => ({ kind: 'moment', id: snapshot.id, snapshot }))
  const living = machines.map((machine): TimeNode => ({ kind: 'living', id: `living:${machine.id}`, machine }))
  const images = new Set([...snapshots, ...machines].map(({ image }) => image))
  const origins = [...images].sort().map((image): TimeNode => ({ kind: 'origin', id: originOf(image), image }))
  const nodes = [...origins, ...moments, ...waysIn(branches, snapshots), ...living]
  if (nodes.length === 0) return []
  const known = new Set(snapshots.map(({ id }) => id))
  const root = stratify<TimeNode | null>()
    .id((node) => node?.id ?? everything)
    .parentId((node) => (node ? parentOf(node, known) : null))([null, ...nodes])
  const newest = newestBelow(root)
  root.sort((a, b) => (newest.get(b.id ?? '') ?? '').localeCompare(newest.get(a.id ?? '') ?? ''))
  const placed = tree<TimeNode | null>()
    .nodeSize([nodeSize.height + gap.down, nodeSize.width + gap.across])
    .separation(() => 1)(root)
  return placed.descendants().flatMap((at) => onPage(at))
}

function onPage({ data, parent, x, y }: HierarchyPointNode<TimeNode | null>): Placed[] {
  // d3 grows trees downwards and ours grows to the right; the one root over all origins is not shown.
  return data ? [{ node: data, parentId: parent?.data?.id ?? null, x: y, y: x }] : []
}

type Limb = { id?: string | undefined; data: TimeNode | null; children?: Limb[] | undefined }

function newestBelow(root: Limb & { eachAfter(visit: (node: Limb) => void): unknown }): Map<string, string> {
  const newest = new Map<string, string>()
  root.eachAfter((branch) => {
    const below = (branch.children ?? []).map((child) => newest.get(child.id ?? '') ?? '')
    newest.set(branch.id ?? '', [madeAt(branch.data), ...below].sort().at(-1) ?? '')
  })
  return newest
}

function madeAt(node: TimeNode | null): string {
  if (node?.kind === 'moment') return node.snapshot.createdAt
  if (node?.kind === 'living') return node.machine.createdAt
  if (node?.kind === 'way') return node.branch.createdAt
  return ''
}

export const wayId = (branchId: string) => `way:${branchId}`

/**
 * Ways that ended without a moment of their own: those cut off, and a winner after which nothing was kept. They hang where
 * their machine was last kept, else where the choice was made.
 */
function waysIn(branches: readonly Branch[], snapshots: readonly Snapshot[]): TimeNode[] {
  const byId = new Map(snapshots.map((snapshot) => [snapshot.id, snapshot]))
  return branches.flatMap((branch): TimeNode[] => {
    const own = snapshots.filter(({ machineId }) => machineId !== null && machineId === branch.machineId)
    const begun = branch.fromSnapshot === null ? undefined : byId.get(branch.fromSnapshot)
    const last = own.reduce((a, b) => (a && a.createdAt > b.createdAt ? a : b), begun)
    if (!last || branch.endedAt === null || branch.endSnapshot !== null || (branch.won && own.length > 0)) return []
    return [{ kind: 'way', id: wayId(branch.id), branch, from: last.id, image: last.image }]
  })
}

/** What one task made, and what that stands on. */
export function linesOf(snapshots: readonly Snapshot[], taskId: string): Snapshot[] {
  const byId = new Map(snapshots.map((snapshot) => [snapshot.id, snapshot]))
  const wanted = new Set<string>()
  for (const snapshot of snapshots) {
    if (snapshot.taskId !== taskId) continue
    for (let at: Snapshot | undefined = snapshot; at && !wanted.has(at.id); at = byId.get(at.parentId ?? ''))
      wanted.add(at.id)
  }
  return snapshots.filter(({ id }) => wanted.has(id))
}
