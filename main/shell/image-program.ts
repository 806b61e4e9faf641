import { Argument, type Command, Option } from 'commander'
import type { ImportFlags } from './commands/image.ts'
import type { Act } from './program.ts'
import { count, positiveNumber } from './values.ts'

const load = () => import('./commands/image.ts')

/** `godhand image …` */
export function addImageCommands(image: Command, act: Act): void {
  const add = (name: string, description: string) => image.command(name).description(description)

  add('list', 'the guest images there are').action(() => act(async (output) => (await load()).imageList(output)))
  add('build', 'make an image from packages; takes minutes the first time')
    .addArgument(new Argument('[variant]', 'one of ours').choices(['desktop', 'minimal']))
    .option('--recipe <folder>', 'with your additions: recipe.json, and files/ and setup.sh if you like')
    .action((variant: 'desktop' | 'minimal' | undefined, { recipe }: { recipe?: string }) =>
      act(async (output) => (await load()).imageBuild(variant, recipe, output)),
    )
  add('import', 'your own disk (qcow2, raw) or installation medium (ISO), of any system that shows a screen')
    .argument('<file>', 'it is copied and stays as it is')
    .option('--name <name>', 'what to call it (default: after the file)')
    .addOption(new Option('--as <medium>', 'where the file’s own look is wrong').choices(['disk', 'cdrom']))
    .option('--disk <gb>', 'size of the empty disk beside an ISO (default: 16)', count)
    .option('--rest <seconds>', 'its screen stands still so long once it has started (default: 15)', positiveNumber)
    .option('--ssh-user <name>', 'commands work: it runs SSH and lets GodHand’s key in as this user')
    .action((file: string, flags: ImportFlags) =>
      act(async (output) => (await load()).imageImport(file, flags, output)),
    )
  add('remove', 'drop an image nothing stands on')
    .argument('<image>', 'id of the image')
    .action((id: string) => act(async (output) => (await load()).imageRemove(id, output)))
}
