import type { Command } from 'commander'
import type { RuleOptions } from './commands/branch.ts'
import type { Act } from './program.ts'
import { share } from './values.ts'

const load = () => import('./commands/branch.ts')
const list = (text: string) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

/** `godhand branch …` */
export function addBranchCommands(branch: Command, act: Act): void {
  branch
    .command('fetch')
    .description('a file of a branch: of its live machine, its snapshot, or as it was fetched before it went')
    .argument('<branch>', 'id of the branch; see godhand tree <task> --json')
    .argument('<path>', 'the file in the guest')
    .argument('<file>', 'where it goes on this host')
    .action((id: string, path: string, file: string) =>
      act(async (output) => (await load()).branchFetch(id, path, file, output)),
    )
}

/** `godhand judge …` */
export function addJudgeCommands(judge: Command, act: Act): void {
  judge
    .command('show')
    .description('what counts, in which order')
    .action(() => act(async (output) => (await load()).judgeShow(output)))
  judge
    .command('set')
    .description('change some of them; lists are separated by commas, * stands for anything')
    .option('--order <criteria>', 'of: wanted, unwanted, failures, usd, tokens, steps, time, screen', list)
    .option('--slack <share>', 'costs that differ by less count as equal, 0 to 1', share)
    .option('--wanted <paths>', 'changes of these are what tasks are about', list)
    .option('--ignore <paths>', 'changes of these never count', list)
    .option('--unwanted <paths>', 'changes of these always count against a way', list)
    .option('--ties <how>', 'model: it is shown the evidence; first: the way named first wins')
    .action((options: RuleOptions) => act(async (output) => (await load()).judgeSet(options, output)))
  judge
    .command('reset')
    .description('back to the usual ones')
    .action(() => act(async (output) => (await load()).judgeReset(output)))
}
