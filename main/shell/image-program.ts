import { Argument, type Command } from 'commander'
import type { Act } from './program.ts'

const load = () => import('./commands/image.ts')

/** `godhand image …` */
export function addImageCommands(image: Command, act: Act): void {
  const add = (name: string, description: string) => image.command(name).description(description)

  add('list', 'the guest images there are').action(() => act(async (output) => (await load()).imageList(output)))
  add('build', 'make an image from packages; takes minutes the first time')
    .addArgument(new Argument('<variant>', 'which one').choices(['desktop', 'minimal']))
    .action((variant: 'desktop' | 'minimal') => act(async (output) => (await load()).imageBuild(variant, output)))
  add('remove', 'drop an image nothing stands on')
    .argument('<image>', 'id of the image')
    .action((id: string) => act(async (output) => (await load()).imageRemove(id, output)))
}
