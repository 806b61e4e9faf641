import { type Command, InvalidArgumentError, Option } from 'commander'
import { TaskState } from '../contract/task.ts'
import { ExportFormat, type TraceQueryInput } from '../contract/trace.ts'
import type { ExportOptions } from './commands/trace-export.ts'
import type { RetentionOptions } from './commands/trace-library.ts'
import type { Act } from './program.ts'
import { count, positiveNumber } from './values.ts'

const load = () => import('./commands/trace.ts')
const library = () => import('./commands/trace-library.ts')

/** `godhand trace …` */
export function addTraceCommands(trace: Command, act: Act): void {
  const add = (name: string, description: string) => trace.command(name).description(description)
  const addOn = (name: string, description: string) => add(name, description).argument('<trace>', 'id of the trace')

  add('list', 'newest first')
    .option('--limit <n>', 'at most so many', count)
    .action((options: { limit?: number }) => act(async (output) => (await load()).traceList(options.limit, output)))
  addOn('show', 'every step of one').action((id: string) => act(async (output) => (await load()).traceShow(id, output)))
  add('search', 'by words of the goal, the thoughts, the screens, what was typed and what was found')
    .argument('[words...]')
    .option('--tag <tag>', 'only with this tag')
    .option('--app <name>', 'only those that ran this program')
    .addOption(new Option('--state <state>', 'only those that ended so').choices(TaskState.options))
    .option('--planner <name>', 'only by this planner: demo, script, replay, anthropic, openai, local')
    .option('--since <time>', 'made at this time or later, as 2026-11-18 or with a time of day')
    .option('--until <time>', 'made before this time')
    .action((words: string[], options: SearchOptions) =>
      act(async (output) => (await library()).traceSearch(queryOf(words, options), output)),
    )
  addOn('tag', 'put a tag on it, or take it off')
    .argument('<tag>')
    .option('--remove', 'take it off')
    .action((id: string, tag: string, { remove = false }: { remove?: boolean }) =>
      act(async (output) => (await library()).traceTag(id, tag, remove, output)),
    )
  add('tags', 'tags and programs, with the number of traces').action(() =>
    act(async (output) => (await library()).traceFacets(output)),
  )
  add('disk', 'what traces take on disk').action(() => act(async (output) => (await library()).traceDisk(output)))
  add('retention', 'how long traces stay: shows it, or sets it')
    .option('--days <n>', 'not longer than so many days', positiveNumber)
    .option('--traces <n>', 'not more than so many', count)
    .option('--megabytes <n>', 'not more than so much of pictures', positiveNumber)
    .option('--keep <tags...>', 'whatever has one of these tags stays (keep, unless said otherwise)')
    .option('--off', 'keep everything')
    .option('--dry-run', 'only say what would go')
    .option('--apply', 'remove it now, not at the next sweep')
    .action((options: RetentionOptions) => act(async (output) => (await library()).traceRetention(options, output)))
  addOn('export', 'into a file that can be read without GodHand; Ctrl-C calls it off')
    .addOption(new Option('--format <format>', 'what kind').choices(ExportFormat.options).default('bundle'))
    .requiredOption('-o, --output <file>', 'where to')
    .option('--machines', 'in a bundle: its snapshots too, so that its steps can be booted elsewhere')
    .option('--redact-text <words...>', 'cover these words in texts and pictures')
    .option('--redact-regex <expressions...>', 'cover what these match')
    .option('--redact-region <x,y,width,height...>', 'cover this part of every picture')
    .action((id: string, options: ExportOptions) =>
      act(async (output) => (await import('./commands/trace-export.ts')).traceExport(id, options, output)),
    )
  add('compare', 'two traces beside each other, step by step')
    .argument('<a>', 'id of a trace')
    .argument('<b>', 'id of another')
    .action((a: string, b: string) =>
      act(async (output) => (await import('./commands/trace-compare.ts')).traceCompare(a, b, output)),
    )
  addOn('report', 'of a replay: what it found at each step of what it repeated').action((id: string) =>
    act(async (output) => (await import('./commands/trace-compare.ts')).traceReport(id, output)),
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
  addOn('variables', 'what was typed in it, to be given other values in a replay').action((id: string) =>
    act(async (output) => (await import('./commands/trace-variables.ts')).traceVariables(id, output)),
  )
  addOn('replay', 'do it again on a fresh machine, without a model')
    .option('--set <recorded=value...>', 'type, run and expect another value in the place of a recorded one')
    .option('--ask', 'ask how to go on where the screen no longer agrees, instead of ending there')
    .option('--keep', 'leave the machine running afterwards')
    .action((id: string, { set, ask, keep }: { set?: string[]; ask?: boolean; keep?: boolean }) =>
      act(async (output) =>
        (await import('./commands/run.ts')).run(
          undefined,
          { replay: id, set: set ?? [], ask: ask ?? false, keep: keep ?? false },
          output,
        ),
      ),
    )
  addOn('boot', 'the machine as it was at a step, live: from what was kept then, else by doing again what led there')
    .argument('<step>', 'its number, from 1', count)
    .option('--before', 'as it was before that step, not after it')
    .action((id: string, step: number, { before = false }: { before?: boolean }) =>
      act(async (output) => (await load()).traceBoot(id, step, before, output)),
    )
  addOn('delete', 'with its pictures')
    .option('--machines', 'and the snapshots that were taken of its machines')
    .action((id: string, { machines = false }: { machines?: boolean }) =>
      act(async (output) => (await load()).traceDelete(id, machines, output)),
    )
}

type SearchOptions = { tag?: string; app?: string; state?: TaskState; planner?: string; since?: string; until?: string }

function queryOf(words: string[], { tag, app, state, planner, since, until }: SearchOptions): TraceQueryInput {
  return {
    ...(words.length > 0 && { text: words.join(' ') }),
    ...(tag !== undefined && { tag }),
    ...(app !== undefined && { app }),
    ...(state !== undefined && { states: [state] }),
    ...(planner !== undefined && { planner }),
    ...(since !== undefined && { from: timeOf(since) }),
    ...(until !== undefined && { to: timeOf(until) }),
  }
}

function timeOf(text: string): string {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError(`“${text}” is not a time.`)
  return time.toISOString()
}
