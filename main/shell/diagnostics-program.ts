import { type Command, Option } from 'commander'
import { LogLevel } from '../contract/diagnostics.ts'
import type { Act } from './program.ts'
import { count } from './values.ts'

const load = () => import('./commands/diagnostics.ts')

/** `godhand logs`, `support`, `reset`: beside `doctor`. */
export function addDiagnosticsCommands(program: Command, act: Act): void {
  program
    .command('logs')
    .description('what the engine wrote down, newest last')
    .addOption(new Option('--level <level>', 'this and what is graver').choices(LogLevel.options))
    .option('--lines <n>', 'at most so many', count)
    .action((options: { level?: LogLevel; lines?: number }) =>
      act(async (output) => (await load()).logs(options, output)),
    )
  program
    .command('support')
    .description('a zip for somebody who helps you: checks and logs, without secrets')
    .argument('[file]', 'where to; left out: here')
    .action((file: string | undefined) => act(async (output) => (await load()).support(file, output)))
  program
    .command('reset')
    .description('erase every task, trace, snapshot, secret and key of this data folder')
    .option('--yes <words>', 'the words it asks for')
    .action((options: { yes?: string }) => act(async (output) => (await load()).reset(options, output)))
}
