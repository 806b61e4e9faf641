import type { Act, Point } from '../../../contract/action.ts'
import type { ReplayedStep } from '../../../contract/replay.ts'

/** Where an act points. */
export function aimOf(act: Act): Point | null {
  if (act.type === 'move') return act.to
  if (act.type === 'drag') return act.path[0] ?? null
  if (act.type === 'scroll') return null // anywhere over the same thing will do
  return 'at' in act ? (act.at ?? null) : null
}

/** Where these acts leave the pointer. */
export function lastAim(acts: Act[]): Point | null {
  return (
    acts.map((act) => (act.type === 'drag' ? (act.path.at(-1) ?? null) : aimOf(act))).findLast((at) => at !== null) ??
    null
  )
}

export function shifted(act: Act, move: Point): Act {
  if (move.x === 0 && move.y === 0) return act
  const by = ({ x, y }: Point) => ({ x: Math.max(0, x + move.x), y: Math.max(0, y + move.y) })
  if (act.type === 'move') return { ...act, to: by(act.to) }
  if (act.type === 'drag') return { ...act, path: act.path.map(by) }
  return 'at' in act && act.at ? { ...act, at: by(act.at) } : act
}

/** In words, when something is elsewhere than it was. */
export function told(targets: ReplayedStep['targets']): string {
  const moved = targets.find(({ by }) => by !== 'place')
  if (!moved) return ''
  const [x, y] = [moved.at.x - moved.recorded.x, moved.at.y - moved.recorded.y]
  return ` (The target is ${Math.abs(x)} px to the ${x < 0 ? 'left' : 'right'} and ${Math.abs(y)} px ${y < 0 ? 'above' : 'below'} where it was; found by its ${moved.by}.)`
}
