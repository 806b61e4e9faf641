import type { Command } from 'commander'
import type { DayOptions } from './commands/budget.ts'
import type { Act } from './program.ts'
import { count, positiveNumber } from './values.ts'

const load = () => import('./commands/budget.ts')

/** `godhand budget …`: what all tasks of a day may take together. */
export function addBudgetCommands(budget: Command, act: Act): void {
  budget
    .command('show')
    .description('what today took so far, and what it may take')
    .action(() => act(async (output) => (await load()).budgetShow(output)))
  budget
    .command('set')
    .description('limit a day; what is not named limits no more')
    .option('--usd <n>', 'money, in US dollars', positiveNumber)
    .option('--tokens <n>', 'tokens of all models', count)
    .option('--steps <n>', 'steps', count)
    .option('--minutes <n>', 'time of all tasks, added up', positiveNumber)
    .action((options: DayOptions) => act(async (output) => (await load()).budgetSet(options, output)))
}
