import { type Command, Option } from 'commander'
import { ExportFormat } from '../contract/trace.ts'
import type { Act } from './program.ts'
import { count } from './values.ts'

const load = () => import('./commands/trace.ts')

/** `godhand trace …` */
export function addTraceCommands(trace: Command, act: Act): void {
  const add = (name: string, description: string) => trace.command(name).description(description)
  const addOn = (name: string, description: string) => add(name, description).argument('<trace>', 'id of the trace')

  add('list', 'newest first')
    .option('--limit <n>', 'at most so many', count)
    .action((options: { limit?: number }) => act(async (output) => (await load()).traceList(options.limit, output)))
  addOn('show', 'every step of one').action((id: string) => act(async (output) => (await load()).traceShow(id, output)))
  add('search', 'by words of the goal, the thoughts, what was typed and what was found')
    .argument('<words...>')
    .action((words: string[]) => act(async (output) => (await load()).traceSearch(words.join(' '), output)))
  addOn('export', 'into a file that can be read without GodHand')
    .addOption(new Option('--format <format>', 'what kind').choices(ExportFormat.options).default('bundle'))
    .requiredOption('-o, --output <file>', 'where to')
    .action((id: string, options: { format: ExportFormat; output: string }) =>
      act(async (output) => (await load()).traceExport(id, options.format, options.output, output)),
    )
  add('verify', 'whether a bundle is whole and nobody has changed it')
    .argument('<file>', 'a .ghtrace')
    .action((file: string) => act(async (output) => (await load()).traceVerify(file, output)))
  add('import', 'a bundle somebody gave you')
    .argument('<file>', 'a .ghtrace')
    .option('--copy', 'also when this very trace is here already')
    .action((file: string, { copy = false }: { copy?: boolean }) =>
      act(async (output) => (await load()).traceImport(file, copy, output)),
    )
  addOn('replay', 'do it again on a fresh machine, without a model').action((id: string) =>
    act(async (output) => (await import('./commands/run.ts')).run(undefined, { replay: id }, output)),
  )
  addOn('delete', 'with its pictures').action((id: string) =>
    act(async (output) => (await load()).traceDelete(id, output)),
  )
}
