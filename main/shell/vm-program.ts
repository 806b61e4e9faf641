import { Argument, type Command, Option } from 'commander'
import type { Button } from '../contract/action.ts'
import { addEyesCommands } from './eyes-program.ts'
import type { Act } from './program.ts'
import { count, positiveNumber, wholeNumber } from './values.ts'

const load = () => import('./commands/vm.ts')
const machine = () => new Argument('<machine>', 'id of the machine')

const limit = () => new Option('--limit <mb>', 'refuse what is larger (default: 64)').argParser(count)

type Create = {
  image?: string
  name?: string
  memory?: number
  cpus?: number
  boot?: boolean
  snapshot?: string
  allow?: string[]
}

/** `godhand vm …` */
export function addVmCommands(vm: Command, act: Act): void {
  const add = (name: string, description: string) => vm.command(name).description(description)
  const addOn = (name: string, description: string) => add(name, description).addArgument(machine())

  add('create', 'a fresh desktop')
    .option('--image <name>', 'the guest image')
    .option('--name <name>', 'a name for people')
    .option('--memory <mb>', 'memory in megabytes', count)
    .option('--cpus <n>', 'processors', count)
    .option('--boot', 'from power-on instead of the pre-booted desktop')
    .option('--snapshot <id>', 'from a snapshot instead of the image')
    .option('--allow <hosts...>', 'what it may reach: host, *.domain or host:port; nothing unless named')
    .action((options: Create) =>
      act(async (output) => {
        const { memory, snapshot, boot = false } = options
        const wish = {
          ...(options.image === undefined ? {} : { image: options.image }),
          ...(options.name === undefined ? {} : { name: options.name }),
          ...(memory === undefined ? {} : { memoryMb: memory }),
          ...(options.cpus === undefined ? {} : { cpus: options.cpus }),
          ...(snapshot === undefined ? {} : { fromSnapshot: snapshot }),
          boot,
          allow: options.allow ?? [],
        }
        return (await load()).vmCreate(wish, output)
      }),
    )
  add('list', 'the machines there are').action(() => act(async (output) => (await load()).vmList(output)))
  addOn('exec', 'run a command in the guest: vm exec <machine> -- uname -a')
    .argument('<command...>', 'the command and its arguments, after --')
    .option('--timeout <seconds>', 'end it after so long', positiveNumber)
    .action((id: string, argv: string[], options: { timeout?: number }) =>
      act(async (output) => (await load()).vmExec(id, argv, options.timeout, output)),
    )
  addOn('screenshot', 'what the screen shows, as a PNG')
    .option('-o, --output <file>', 'where to write it (default: <machine>.png)')
    .action((id: string, options: { output?: string }) =>
      act(async (output) => (await load()).vmScreenshot(id, options.output, output)),
    )
  addOn('click', 'click at a place, in pixels from the upper left')
    .argument('<x>', 'pixels from the left', wholeNumber)
    .argument('<y>', 'pixels from the top', wholeNumber)
    .addOption(
      new Option('--button <name>', 'which button')
        .choices(['left', 'right', 'middle', 'back', 'forward'])
        .default('left'),
    )
    .addOption(new Option('--count <n>', '2 for a double click').default(1).argParser(count))
    .action((id: string, x: number, y: number, options: { button: Button; count: number }) =>
      act(async (output) => (await load()).vmAct(id, { type: 'click', at: { x, y }, ...options }, output)),
    )
  addOn('type', 'type text as on a keyboard')
    .argument('<text>', 'the text')
    .action((id: string, text: string) =>
      act(async (output) => (await load()).vmAct(id, { type: 'type', text }, output)),
    )
  addOn('key', 'press keys together: ctrl+s, Return, alt+F4')
    .argument('<chord>', 'names joined by +')
    .action((id: string, chord: string) =>
      act(async (output) => (await load()).vmAct(id, { type: 'key', chord }, output)),
    )
  addEyesCommands(addOn, act)
  addOn('send', 'copy a file of this host into the guest')
    .argument('<file>', 'the file here')
    .argument('<path>', 'where in the guest; a folder ends in /')
    .addOption(limit())
    .action((id: string, file: string, guestPath: string, options: { limit?: number }) =>
      act(async (output) => (await load()).vmSend(id, file, guestPath, options.limit, output)),
    )
  addOn('fetch', 'copy a file of the guest to this host; nothing here is overwritten')
    .argument('<path>', 'the file in the guest')
    .argument('[folder]', 'where to put it', '.')
    .addOption(limit())
    .action((id: string, guestPath: string, folder: string, options: { limit?: number }) =>
      act(async (output) => (await load()).vmFetch(id, guestPath, folder, options.limit, output)),
    )
  addOn('snapshot', 'keep memory and disk as they are now')
    .option('--label <text>', 'a few words to find it by')
    .action((id: string, options: { label?: string }) =>
      act(async (output) => (await load()).vmSnapshot(id, options.label, output)),
    )
  addOn('fork', 'more machines that go on from this very moment')
    .addOption(new Option('--count <n>', 'how many').default(1).argParser(count))
    .action((id: string, options: { count: number }) =>
      act(async (output) => (await load()).vmFork(id, options.count, output)),
    )
  add('restore', 'a new machine from a snapshot')
    .argument('<snapshot>', 'id of the snapshot')
    .action((id: string) => act(async (output) => (await load()).vmRestore(id, output)))
  addOn('pause', 'stop the clock of the guest').action((id: string) =>
    act(async (output) => (await load()).vmSetState('vm.pause', id, output)),
  )
  addOn('resume', 'let it go on').action((id: string) =>
    act(async (output) => (await load()).vmSetState('vm.resume', id, output)),
  )
  addOn('suspend', 'keep it on disk without a process; its next use brings it back').action((id: string) =>
    act(async (output) => (await load()).vmSetState('vm.suspend', id, output)),
  )
  add('destroy', 'end machines and drop what they hold')
    .argument('<machine...>', 'ids of the machines')
    .action((ids: string[]) => act(async (output) => (await load()).vmDestroy(ids, output)))
}
