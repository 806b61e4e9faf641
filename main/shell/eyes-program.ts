import { type Command, InvalidArgumentError, Option } from 'commander'
import type { z } from 'zod'
import { Action } from '../contract/action.ts'
import { Assertion } from '../contract/assertion.ts'
import type { Region } from '../contract/geometry.ts'
import type { TextQuery } from '../contract/reading.ts'
import type { Act } from './program.ts'
import { positiveNumber } from './values.ts'

const load = () => import('./commands/eyes.ts')

type Match = z.output<typeof TextQuery>['match']
type Within = { region?: Region }

/** `godhand vm …`: any action, and what can be seen, read and judged on a machine. */
export function addEyesCommands(addOn: (name: string, description: string) => Command, act: Act): void {
  const region = () => new Option('--region <x,y,width,height>', 'only there, in pixels').argParser(regionOf)
  const output = () => new Option('-o, --output <file>', 'where to write the picture')

  addOn('act', 'any action, as JSON; says when the screen came to rest and what changed')
    .argument('<action>', `for example '{"type":"scroll","dy":5}'`, json(Action))
    .action((id: string, action: Action) => act(async (out) => (await load()).vmActAndSettle(id, action, out)))
  addOn('read', 'the text on the screen, line by line')
    .addOption(region())
    .action((id: string, { region }: Within) => act(async (out) => (await load()).vmRead(id, region, out)))
  addOn('find', 'where a text stands; ends with 1 when it is not there')
    .argument('<text>', 'what to look for')
    .addOption(
      new Option('--match <how>', 'how it is compared')
        .choices(['contains', 'exact', 'fuzzy', 'regex'])
        .default('contains'),
    )
    .addOption(region())
    .action((id: string, text: string, { match, region }: Within & { match: Match }) =>
      act(async (out) => (await load()).vmFind(id, { text, match, ...(region ? { region } : {}) }, out)),
    )
  addOn('marks', 'numbers all texts and places that look clickable')
    .addOption(output())
    .action((id: string, { output: file }: { output?: string }) =>
      act(async (out) => (await load()).vmMarks(id, file, out)),
    )
  addOn('zoom', 'a part of the screen, native pixels enlarged')
    .argument('<x,y,width,height>', 'the part', regionOf)
    .addOption(output())
    .action((id: string, part: Region, { output: file }: { output?: string }) =>
      act(async (out) => (await load()).vmZoom(id, part, file, out)),
    )
  addOn('check', 'whether a statement holds; ends with 1 when it does not')
    .argument('<assertion>', `as JSON: '{"check":"file_exists","path":"~/letter.txt"}'`, json(Assertion))
    .option('--timeout <seconds>', 'how long it may take to become true', positiveNumber)
    .action((id: string, assertion: Assertion, { timeout }: { timeout?: number }) =>
      act(async (out) => (await load()).vmCheck(id, assertion, timeout, out)),
    )
  addOn('watch', 'waits until the screen changes, and says where')
    .option('--since <frame>', 'compared with this stored frame instead of now')
    .option('--timeout <seconds>', 'how long', positiveNumber)
    .action((id: string, options: { since?: string; timeout?: number }) =>
      act(async (out) => (await load()).vmWatch(id, options, out)),
    )
  addOn('diff', 'what has changed since a snapshot: files, processes, windows, packages, ports')
    .argument('<snapshot>', 'id of the snapshot')
    .addOption(output().argParser((file: string) => file))
    .action((id: string, since: string, { output: file }: { output?: string }) =>
      act(async (out) => (await load()).vmDiff(id, since, file, out)),
    )
}

function json<T extends z.ZodType>(schema: T) {
  return (text: string): z.output<T> => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      throw new InvalidArgumentError('It is not JSON.')
    }
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    throw new InvalidArgumentError(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    )
  }
}

function regionOf(text: string): Region {
  const [x, y, width, height] = /^\d+,\d+,\d+,\d+$/.test(text) ? text.split(',').map(Number) : []
  if (x === undefined || y === undefined || !width || !height)
    throw new InvalidArgumentError('It must be four whole numbers: x,y,width,height.')
  return { x, y, width, height }
}
