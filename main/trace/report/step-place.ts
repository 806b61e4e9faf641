import type { Line } from './branch-tree.ts'

/** Where in the tree a step stands. `name` is null on the task's own line. */
export type Place = { name: string | null; way: number | null; pruned: boolean; undoneBy: number | null }

/** By the step's index; steps of the task's own line that were not undone are left out. */
export function placesIn(line: Line): Map<number, Place> {
  const places = new Map<number, Place>()
  const walk = (parts: Line, name: string | null, way: number | null, lost: boolean): void => {
    for (const part of parts) {
      if (part.kind === 'run') {
        const undoneBy = part.undoneBy?.index ?? null
        const pruned = lost || undoneBy !== null
        if (name !== null || pruned)
          for (const { index } of part.steps) places.set(index, { name, way, pruned, undoneBy })
      } else
        for (const each of part.ways)
          walk(each.line, name === null ? each.name : `${name} › ${each.name}`, each.number, lost || !each.branch.won)
    }
  }
  walk(line, null, null, false)
  return places
}
