import type { BranchCost, Criterion, JudgeRules } from '../../contract/branching.ts'
import { totalTokens } from '../../contract/usage.ts'

/** What is known of a branch that has ended. */
export type Candidate = {
  option: number
  passed: boolean // its checks hold
  verdict: string
  unwanted: string[]
  cost: BranchCost
}

export type Judgement = { winner: number | null; reasons: Map<number, string[]> }

/** For ties only, with the evidence in hand. Null: it cannot tell either. */
export type TieBreaker = (tied: Candidate[]) => Promise<{ option: number; reason: string } | null>

/**
 * Evidence decides: whose checks do not hold is out; of the others, the first rule that tells them apart. Every branch
 * gets its reasons. That nobody wins is a result like any other.
 */
export async function judge(candidates: Candidate[], rules: JudgeRules, breakTie?: TieBreaker): Promise<Judgement> {
  const reasons = new Map(candidates.map(({ option }): [number, string[]] => [option, []]))
  const say = (option: number, reason: string) => reasons.get(option)?.push(reason)
  for (const { option, passed, verdict } of candidates)
    say(option, passed ? 'Its checks hold.' : `Its checks do not hold: ${verdict}`)
  let left = candidates.filter(({ passed }) => passed)
  for (const criterion of rules.order) {
    if (left.length < 2) break
    const best = Math.min(...left.map((one) => amountOf(one, criterion)))
    for (const one of left) {
      const amount = amountOf(one, criterion)
      if (amount > best) say(one.option, `${words[criterion]}: ${amount}, where another has ${best}.`)
    }
    const better = left.filter((one) => amountOf(one, criterion) === best)
    if (better.length < left.length)
      for (const { option } of better) say(option, `${words[criterion]}: ${best}, the least.`)
    left = better
  }
  const decided = left.length > 1 ? await breakTie?.(left) : null
  if (decided) say(decided.option, `Judged better: ${decided.reason}`)
  const winner = left.find(({ option }) => option === decided?.option) ?? left[0] ?? null
  if (winner && left.length > 1 && !decided)
    say(winner.option, 'Equal to another in everything that counts, and named first.')
  return { winner: winner?.option ?? null, reasons }
}

const words: Record<Criterion, string> = {
  unwanted: 'Unwanted changes',
  failures: 'Failed steps',
  usd: 'Dollars',
  tokens: 'Tokens',
  steps: 'Steps',
  time: 'Seconds',
}

function amountOf({ unwanted, cost }: Candidate, criterion: Criterion): number {
  switch (criterion) {
    case 'unwanted':
      return unwanted.length
    case 'failures':
      return cost.failures
    case 'usd':
      return cost.usage.usd ?? 0
    case 'tokens':
      return totalTokens(cost.usage)
    case 'steps':
      return cost.steps
    case 'time':
      return Math.round(cost.ms / 1000)
  }
}
