import type { Step } from '../../main/contract/task.ts'
import { addUsage, noUsage, totalTokens, type Usage } from '../../main/contract/usage.ts'
import { stageText } from '../text/stage.ts'

const words = stageText.cost

/** Money where the price is known, else what was read and written; null where no model was asked. */
export function costOf(usage: Usage | undefined): string | null {
  if (!usage) return null
  if (usage.usd !== null && usage.usd > 0) return words.usd(usage.usd)
  const tokens = totalTokens(usage)
  return tokens > 0 ? words.tokens(tokens) : null
}

export function totalUsage(steps: readonly Step[]): Usage {
  return steps.reduce((sum, { usage }) => (usage ? addUsage(sum, usage) : sum), noUsage)
}
