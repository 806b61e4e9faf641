import type { ReplayedStep } from '../../main/contract/replay.ts'
import type { Step } from '../../main/contract/task.ts'
import { tracesText } from '../text/traces.ts'

/** What a replay found at each recorded step, in their order. A step that was tried again counts as it came out last. */
export function reportOf(steps: readonly Step[]): ReplayedStep[] {
  const judged = new Map(steps.flatMap(({ compared = [] }) => compared).map((each) => [each.index, each]))
  return [...judged.values()].sort((a, b) => a.index - b.index)
}

/** The trace that a replay did again. */
export const replayOf = (planner: string): string | null => /^replay:(.+)$/.exec(planner)?.[1] ?? null

/** What the engine noted, and how far off what was pointed at now is; empty where there is nothing to say. */
export function noteOf({ note, targets }: ReplayedStep): string {
  const moved = targets.find(({ by }) => by !== 'place')
  const [dx, dy] = moved ? [moved.at.x - moved.recorded.x, moved.at.y - moved.recorded.y] : [0, 0]
  return [note, moved && tracesText.replay.movedBy(moved.what, dx, dy)].filter(Boolean).join(' · ')
}
