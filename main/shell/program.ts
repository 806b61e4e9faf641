import { Command, Option } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { addBranchCommands, addJudgeCommands } from './branch-program.ts'
import { addBudgetCommands } from './budget-program.ts'
import type { RunOptions } from './commands/run.ts'
import { addDiagnosticsCommands } from './diagnostics-program.ts'
import { addImageCommands } from './image-program.ts'
import { addModelCommands } from './model-program.ts'
import type { Output } from './output.ts'
import { addKeyCommands, addSecretCommands } from './secret-program.ts'
import { addSnapshotCommands } from './snapshot-program.ts'
import { addTaskCommands } from './task-program.ts'
import { addTraceCommands } from './trace-program.ts'
import { count, positiveNumber } from './values.ts'
import { addVmCommands } from './vm-program.ts'

/** Runs a command's work and keeps its exit code. */
export type Act = (work: (output: Output) => Promise<number>) => Promise<void>

const EXIT_CODES = `
Exit codes: 0 done · 1 failed · 2 not understood · 3 no such thing · 4 this host is not ready · 130 stopped.
\`vm exec\` ends with the exit code of the command in the guest (255 when that did not end by itself).
With --json, standard output holds one JSON document: the answer, or {"error": {code, message, hint}}.`

/** The command line as data: what can be said. What is done lies in commands/, loaded when it is asked for. */
export function buildProgram(act: Act): Command {
  const program = new Command('godhand')
    .description('A whole virtual machine for an agent: give it a goal, watch it work, keep the trace.')
    .version(packageJson.version)
    .addHelpText('after', EXIT_CODES)
    .helpCommand(false)
    .showSuggestionAfterError()

  const add = (name: string, description: string) => program.command(name).description(description)

  add('doctor', 'what this host can do, what is ready, and what is not').action(() =>
    act(async (output) => (await import('./commands/doctor.ts')).doctor(output)),
  )
  add('run', 'do a task in a fresh machine')
    .argument('[goal]', 'what is to be done, in your own words')
    .option('--demo', 'the scripted demo: needs no key and no network')
    .option('--example <id>', 'one of the examples: haiku, two-ways, three-ways, parcel, tidy, till, waves')
    .option('--attach <files...>', 'files of this host to bring into the guest')
    .option('--script <file>', 'do the steps of a script (JSON) instead of planning')
    .option('--by-hand', 'do it yourself in the live view, recorded step by step; end it with `task declare`')
    .option('--model <name>', 'the model that plans')
    .addOption(new Option('--provider <name>', 'whose model').choices(['anthropic', 'openai']))
    .option('--server <url>', 'a local model server that speaks the OpenAI chat protocol')
    .option('--image <name>', 'the guest image')
    .option('--from <snapshot>', 'go on from a snapshot instead of on a fresh desktop')
    .option('--allow <hosts...>', 'what it may reach: host, *.domain or host:port; nothing unless named')
    .option('--domains <names...>', 'addresses the task is about: a model must ask before it goes elsewhere')
    .option('--paths <folders...>', 'folders the task is about: a model must ask before it touches others')
    .addOption(new Option('--approval <mode>', 'when a model must ask you').choices(['always', 'risky', 'never']))
    .addOption(
      new Option('--losers <what>', 'what stays of ways that were tried and lost').choices(['drop', 'files', 'keep']),
    )
    .option('--recover <n>', 'when a step fails, put the machine back and try again, so many times', count)
    .option('--keep', 'leave the machine running afterwards')
    .option('--max-steps <n>', 'give up after so many steps', count)
    .option('--max-minutes <n>', 'give up after so long', positiveNumber)
    .action((goal: string | undefined, options: RunOptions) =>
      act(async (output) => (await import('./commands/run.ts')).run(goal, options, output)),
    )
  add('tree', 'the snapshots and branches of a task, who won and why')
    .argument('<task>', 'id of the task')
    .action((id: string) => act(async (output) => (await import('./commands/tree.ts')).tree(id, output)))
  addBranchCommands(program.command('branch').description('ways that were tried, and what they left'), act)
  addJudgeCommands(program.command('judge').description('the rules by which branches are judged'), act)
  addTaskCommands(program.command('task').description('step into a running task, or go on with one'), act)
  addBudgetCommands(program.command('budget').description('what all tasks of a day may take together'), act)
  addSecretCommands(program.command('secret').description('passwords and the like, known to models by name only'), act)
  addKeyCommands(program.command('key').description('API keys of model services'), act)
  addModelCommands(program.command('model').description('which models there are, and how well they point'), act)
  addVmCommands(program.command('vm').description('machines by hand'), act)

  addTraceCommands(program.command('trace').description('what was done: past and running tasks, step by step'), act)
  addImageCommands(program.command('image').description('what machines are made from'), act)
  addSnapshotCommands(program.command('snapshot').description('the tree of snapshots and what it costs'), act)

  add('open', 'a fresh link to the app; opens the browser where there is a screen')
    .option('--no-browser', 'only print the link')
    .action((options: { browser: boolean }) =>
      act(async (output) => (await import('./commands/engine.ts')).open(options, output)),
    )
  add('stop', 'end the engine and its machines').action(() =>
    act(async (output) => (await import('./commands/engine.ts')).stop(output)),
  )

  addDiagnosticsCommands(program, act)

  for (const command of leaves(program)) command.option('--json', 'answer with one JSON document')
  return program
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
}
