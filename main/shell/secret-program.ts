import { Argument, type Command } from 'commander'
import type { Act } from './program.ts'

const load = () => import('./commands/secret.ts')

/** `godhand secret …`: what a task may type without any model seeing it. */
export function addSecretCommands(secret: Command, act: Act): void {
  const add = (name: string, description: string) => secret.command(name).description(description)
  add('list', 'their names; a value is never shown').action(() =>
    act(async (output) => (await load()).nameList('secret.list', output)),
  )
  add('set', 'give one: the value is read from standard input')
    .argument('<name>', 'tasks write it as {{name}}')
    .action((name: string) => act(async (output) => (await load()).secretSet(name, output)))
  add('remove', 'forget one')
    .argument('<name>', 'its name')
    .action((name: string) => act(async (output) => (await load()).secretRemove(name, output)))
}

/** `godhand key …`: what model services are paid with. */
export function addKeyCommands(key: Command, act: Act): void {
  key
    .command('list')
    .description('services there is a key for')
    .action(() => act(async (output) => (await load()).nameList('key.list', output)))
  key
    .command('set')
    .description('give the key of a service: it is read from standard input')
    .addArgument(new Argument('<service>').choices(['anthropic', 'openai']))
    .action((service: 'anthropic' | 'openai') => act(async (output) => (await load()).keySet(service, output)))
  key
    .command('remove')
    .description('forget the key of a service')
    .addArgument(new Argument('<service>').choices(['anthropic', 'openai']))
    .action((service: 'anthropic' | 'openai') => act(async (output) => (await load()).keyRemove(service, output)))
}
