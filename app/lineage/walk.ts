import type { Placed } from './tree.ts'

export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'
export const isArrow = (key: string): key is Arrow =>
  key === 'ArrowLeft' || key === 'ArrowRight' || key === 'ArrowUp' || key === 'ArrowDown'

/** Where an arrow key leads: left is the past, right the future, up and down the other ways it went at that time. */
export function walk(placed: readonly Placed[], fromId: string, arrow: Arrow): Placed | null {
  const from = placed.find(({ node }) => node.id === fromId)
  if (!from) return placed[0] ?? null
  switch (arrow) {
    case 'ArrowLeft':
      return placed.find(({ node }) => node.id === from.parentId) ?? null
    case 'ArrowRight':
      return topmost(placed.filter(({ parentId }) => parentId === fromId))
    case 'ArrowUp':
      return nearest(from, placed, (one) => one.y < from.y)
    case 'ArrowDown':
      return nearest(from, placed, (one) => one.y > from.y)
  }
}

const topmost = (some: readonly Placed[]): Placed | null =>
  some.reduce<Placed | null>((best, one) => (best === null || one.y < best.y ? one : best), null)

function nearest(from: Placed, placed: readonly Placed[], wanted: (one: Placed) => boolean): Placed | null {
  const distance = (one: Placed) => Math.abs(one.y - from.y)
  return placed
    .filter((one) => one.x === from.x && wanted(one))
    .reduce<Placed | null>((best, one) => (best === null || distance(one) < distance(best) ? one : best), null)
}

/** The way from the beginning to a node. */
export function pathTo(placed: readonly Placed[], id: string | null): ReadonlySet<string> {
  const parents = new Map(placed.map(({ node, parentId }) => [node.id, parentId]))
  const path = new Set<string>()
  for (let at: string | null | undefined = id; at && parents.has(at) && !path.has(at); at = parents.get(at))
    path.add(at)
  return path
}
