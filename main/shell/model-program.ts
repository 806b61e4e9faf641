import { type Command, Option } from 'commander'
import type { ModelOptions } from './commands/model.ts'
import type { Act } from './program.ts'

const load = () => import('./commands/model.ts')

/** `godhand model …`: which models there are, whether one answers, and how well it points. */
export function addModelCommands(model: Command, act: Act): void {
  const add = (name: string, description: string) =>
    model
      .command(name)
      .description(description)
      .addOption(new Option('--provider <name>', 'whose model').choices(['anthropic', 'openai']))
      .option('--server <url>', 'a local model server that speaks the OpenAI chat protocol')

  model
    .command('servers')
    .description('local model servers that answer on this computer')
    .action(() => act(async (output) => (await load()).modelServers(output)))
  add('list', 'the models of a service or a server').action((options: ModelOptions) =>
    act(async (output) => (await load()).modelList(options, output)),
  )
  add('test', 'ask a model something small: are key, name, address and network right?')
    .argument('[model]', 'its name; the usual one of a service when left out')
    .action((name: string | undefined, options: ModelOptions) =>
      act(async (output) => (await load()).modelTest(name, options, output)),
    )
  model
    .command('calibrate')
    .description('show a local model pictures with known targets, and remember how it points')
    .argument('<model>', 'the name the server knows it by')
    .requiredOption('--server <url>', 'the server it runs on')
    .option('--format <name>', 'how it is spoken to; by its name when left out')
    .action((name: string, options: ModelOptions) =>
      act(async (output) => (await load()).modelCalibrate(name, options, output)),
    )
  model
    .command('calibrations')
    .description('what was found about models so far')
    .action(() => act(async (output) => (await load()).modelCalibrations(output)))
}
