import type { Branch, Criterion, JudgeRules } from '../../contract/branching.ts'
import { totalTokens } from '../../contract/usage.ts'

/** What is known of a branch that has ended. */
export type Candidate = Pick<
  Branch,
  'option' | 'plan' | 'state' | 'verdict' | 'checks' | 'changes' | 'wanted' | 'unwanted' | 'diff' | 'cost' | 'frame'
>

export type Judgement = { winner: number | null; reasons: Map<number, string[]> }

/** For ties only, with the evidence in hand. Null: it cannot tell either. */
export type TieBreaker = (tied: Candidate[]) => Promise<{ option: number; by: string; reason: string } | null>

/** What takes long and is asked for only when nothing else tells. */
export type JudgeHelp = {
  /** Lines on a screen that speak of trouble. */
  troubleOn?: (frame: string) => Promise<string[]>
  breakTie?: TieBreaker
}

/**
 * Evidence decides: whose checks do not hold is out; of the others, the first rule that tells them apart. Every branch
 * gets its reasons. That nobody wins is a result like any other.
 */
export async function judge(candidates: Candidate[], rules: JudgeRules, help: JudgeHelp = {}): Promise<Judgement> {
  const reasons = new Map(candidates.map(({ option }): [number, string[]] => [option, []]))
  const say = (option: number, reason: string) => reasons.get(option)?.push(reason)
  for (const { option, state, verdict, diff } of candidates) {
    if (diff && diff.unknown.length > 0) say(option, `Not everything could be looked at: ${diff.unknown.join('; ')}`)
    say(option, state === 'passed' ? 'Its checks hold.' : `Its checks do not hold: ${verdict ?? state}`)
  }
  let left = candidates.filter(({ state }) => state === 'passed')
  for (const criterion of rules.order) {
    if (left.length < 2) break
    const amounts = await Promise.all(left.map((one) => amountOf(one, criterion, help)))
    const best = criterion === 'wanted' ? Math.max(...amounts) : Math.min(...amounts)
    const isBest = amounts.map((amount) => isAsGood(amount, best, criterion, rules.slack))
    if (isBest.every(Boolean)) continue
    left.forEach(({ option }, index) => {
      if (isBest[index]) say(option, `${words[criterion]}: ${shown(amounts[index])}, as good as any.`)
      else say(option, `${words[criterion]}: ${shown(amounts[index])}, where another has ${shown(best)}.`)
    })
    left = left.filter((_, index) => isBest[index])
  }
  const [first] = left
  if (!first || left.length === 1) return { winner: first?.option ?? null, reasons }
  const decided = rules.ties === 'model' ? await help.breakTie?.(left) : null
  const winner = left.find(({ option }) => option === decided?.option)
  if (!decided || !winner) {
    say(first.option, 'Equal to another in everything that counts, and named first.')
    return { winner: first.option, reasons }
  }
  for (const { option } of left)
    say(
      option,
      `${option === winner.option ? 'Judged better' : 'Another was judged better'} by ${decided.by}: ${decided.reason}`,
    )
  return { winner: winner.option, reasons }
}

const words: Record<Criterion, string> = {
  wanted: 'Wanted changes',
  unwanted: 'Unwanted changes',
  failures: 'Failed steps',
  usd: 'Dollars',
  tokens: 'Tokens',
  steps: 'Steps',
  time: 'Seconds',
  screen: 'Lines of trouble on its screen',
}

const costs = new Set<Criterion>(['usd', 'tokens', 'steps', 'time'])

/** A hair's breadth in cost is no reason; in what was changed it is. */
function isAsGood(amount: number, best: number, criterion: Criterion, slack: number): boolean {
  return costs.has(criterion) ? amount <= best * (1 + slack) : amount === best
}

const shown = (amount = 0) => String(Math.round(amount * 10_000) / 10_000)

async function amountOf(one: Candidate, criterion: Criterion, help: JudgeHelp): Promise<number> {
  const { wanted, unwanted, cost, frame } = one
  switch (criterion) {
    case 'wanted':
      return wanted.length
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
    case 'screen':
      return frame === null ? 0 : ((await help.troubleOn?.(frame)) ?? []).length
  }
}
