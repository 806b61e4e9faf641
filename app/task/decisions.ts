import type { Branch } from '../../main/contract/branching.ts'
import type { Step } from '../../main/contract/task.ts'

/** All ways of one choice. */
export type Decision = { id: string; branches: readonly Branch[] }

/** The choices on the task's own line, in the order they were made. Those within a branch are part of its tile. */
export function decisionsOf(branches: readonly Branch[]): Decision[] {
  const own = branches.filter(({ parentId }) => parentId === null)
  const ids = [...new Set(own.map(({ decisionId }) => decisionId))]
  const all = ids.map((id) => ({
    id,
    branches: own.filter(({ decisionId }) => decisionId === id).sort((a, b) => a.option - b.option),
  }))
  return all.sort((a, b) => madeAt(a).localeCompare(madeAt(b)))
}

const madeAt = ({ branches }: Decision): string => branches[0]?.createdAt ?? ''

export const isUnderWay = ({ state }: Branch): boolean => state === 'waiting' || state === 'running'

/** The judge has spoken when each way was told why. A way that never ran has nothing to be judged by. */
export function isJudged(branches: readonly Branch[]): boolean {
  if (branches.some(({ won }) => won)) return true
  return branches.every(
    (branch) => !isUnderWay(branch) && (branch.reasons.length > 0 || branch.state === 'interrupted'),
  )
}

/** The choice that was made in a step. */
export function decisionOfStep(decisions: readonly Decision[], { startedAt, timing }: Step): Decision | undefined {
  const from = Date.parse(startedAt)
  const at = (decision: Decision) => Date.parse(madeAt(decision)) - from
  return decisions.find((decision) => at(decision) >= 0 && at(decision) <= timing.totalMs)
}
