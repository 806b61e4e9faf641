import type { Command } from 'commander'
import type { Act } from './program.ts'
import { positiveNumber } from './values.ts'

const load = () => import('./commands/snapshot.ts')

/** `godhand snapshot …` */
export function addSnapshotCommands(snapshot: Command, act: Act): void {
  const add = (name: string, description: string) => snapshot.command(name).description(description)
  const addOn = (name: string, description: string) =>
    add(name, description).argument('<snapshot>', 'id of the snapshot')

  add('list', 'all of them, with what each takes and shares').action(() =>
    act(async (output) => (await load()).snapshotList(output)),
  )
  addOn('label', 'name it; what is named is never removed without asking')
    .argument('[text]', 'left out: takes the name away')
    .action((id: string, text: string | undefined) =>
      act(async (output) => (await load()).snapshotLabel(id, text ?? null, output)),
    )
  addOn('pin', 'never remove it to save space')
    .option('--off', 'let it go again')
    .action((id: string, { off = false }: { off?: boolean }) =>
      act(async (output) => (await load()).snapshotPin(id, !off, output)),
    )
  addOn('verify', 'look at every byte of it and of what it stands on').action((id: string) =>
    act(async (output) => (await load()).snapshotVerify(id, output)),
  )
  addOn('remove', 'drop it and free its space').action((id: string) =>
    act(async (output) => (await load()).snapshotRemove(id, output)),
  )
  add('compare', 'what is different in the second; both are started for a moment')
    .argument('<from>', 'id of a snapshot')
    .argument('<to>', 'id of another')
    .action((from: string, to: string) => act(async (output) => (await load()).snapshotCompare(from, to, output)))
  add('collect', 'remove the oldest until the budget holds')
    .option('--budget <gb>', 'set the budget first', positiveNumber)
    .option('--include-named', 'also those you have named')
    .option('--dry-run', 'only tell what would go')
    .action((options: { budget?: number; includeNamed?: boolean; dryRun?: boolean }) =>
      act(async (output) => (await load()).snapshotCollect(options, output)),
    )
  add('move', 'keep them in another folder, on another disk if you like')
    .argument('<folder>', 'they get a folder of their own inside it')
    .action((folder: string) => act(async (output) => (await load()).snapshotMove(folder, output)))
  add('compress', 'make the memory of old ones smaller on disk; they stay bootable').action(() =>
    act(async (output) => (await load()).snapshotCompress(output)),
  )
}
