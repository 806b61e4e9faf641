import type { DayBudget, DayLimits } from '../../contract/day-budget.ts'
import { totalTokens } from '../../contract/usage.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'

export type DayOptions = { usd?: number; tokens?: number; steps?: number; minutes?: number }

export async function budgetShow(output: Output): Promise<number> {
  return tell(await withEngine(output, { machines: false }, ({ client }) => client.call('budget.day.get', {})), output)
}

export async function budgetSet({ usd, tokens, steps, minutes }: DayOptions, output: Output): Promise<number> {
  const limits: DayLimits = {
    ...(usd === undefined ? {} : { maxUsd: usd }),
    ...(tokens === undefined ? {} : { maxTokens: tokens }),
    ...(steps === undefined ? {} : { maxSteps: steps }),
    ...(minutes === undefined ? {} : { maxMinutes: minutes }),
  }
  const budget = await withEngine(output, { machines: false }, ({ client }) => client.call('budget.day.set', limits))
  return tell(budget, output)
}

function tell(budget: DayBudget, output: Output): number {
  const { limits, spent } = budget
  const line = (what: string, took: string, most: number | undefined) =>
    `${what}: ${took}${most === undefined ? '' : ` of ${most.toLocaleString('en')}`}`
  const lines = [
    line('US dollars', (spent.usage.usd ?? 0).toFixed(2), limits.maxUsd),
    line('tokens', totalTokens(spent.usage).toLocaleString('en'), limits.maxTokens),
    line('steps', String(spent.steps), limits.maxSteps),
    line('minutes', (spent.elapsedMs / 60_000).toFixed(1), limits.maxMinutes),
  ]
  output.answer(budget, [`Today, ${spent.day}`, ...lines].join('\n'))
  return exitCodes.ok
}
