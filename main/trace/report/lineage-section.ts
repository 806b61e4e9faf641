import type { Lineage } from '../bundle/format.ts'
import { html, type Markup } from './html.ts'
import { clock } from './step-card.ts'

/** The tree of snapshots and the machines that ran from them: where the task branched, and what it went back to. */
export function lineageSection({ machines, snapshots }: Lineage): Markup | null {
  if (snapshots.length === 0 && machines.length < 2) return null
  const known = new Set(snapshots.map(({ id }) => id))
  const under = (parent: string | null, depth: number): Markup | false => {
    const isHere = (id: string | null) => (parent === null ? id === null || !known.has(id) : id === parent)
    const items = [
      ...machines
        .filter(({ parentSnapshot }) => isHere(parentSnapshot))
        .map(
          ({ id, createdAt, endedAt }) =>
            html`<li>Machine ${id}, ${clock(createdAt)}${endedAt && html` to ${clock(endedAt)}`}</li>`,
        ),
      ...snapshots
        .filter(({ parentId }) => isHere(parentId))
        .map(
          ({ id, label, createdAt }) =>
            html`<li>Snapshot ${id}${label && html` “${label}”`}, ${clock(createdAt)}${depth < 200 && under(id, depth + 1)}</li>`,
        ),
    ]
    return items.length > 0 && html`<ul>${items}</ul>`
  }
  return html`<section aria-labelledby="lineage"><h2 id="lineage">Machines and snapshots</h2>${under(null, 0)}</section>`
}
