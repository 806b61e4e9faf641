import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { GodHandError } from '../../contract/errors.ts'
import type { BundleReader } from '../bundle/bundle-reader.ts'
import { MACHINE_FILE } from '../bundle/format.ts'
import { Refusal } from '../bundle/refusal.ts'

/** Where machines go, and who can tell a sound one from one that only looks so. */
export type MachineHome = {
  folder: string
  /** Throws GodHandError('corrupt') for what must never be booted. `known`: the ids it may stand on. */
  adopt(id: string, folder: string, known: ReadonlySet<string>): Promise<void>
}

/** Writes each snapshot that is not here yet into a folder of its own, every byte checked. Returns those folders. */
export async function takeMachines(
  bundle: BundleReader,
  sums: Map<string, string>,
  home: MachineHome,
  isHere: (id: string) => boolean,
  made: string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const files = bundle.names.flatMap((name) => {
    const [, id, file] = MACHINE_FILE.exec(name) ?? []
    return id && file && !isHere(id) ? [{ name, id, file }] : []
  })
  const ids = [...new Set(files.map(({ id }) => id))]
  const known = new Set(bundle.machines.filter((id) => ids.includes(id) || isHere(id)))
  await roomFor(bundle, home.folder)
  for (const id of ids) {
    const folder = path.join(home.folder, id)
    await fs.mkdir(home.folder, { recursive: true, mode: 0o700 })
    await fs.mkdir(folder, { mode: 0o700 })
    made.push(folder)
    for (const { name, file } of files.filter((each) => each.id === id))
      await store(bundle, name, path.join(folder, file), sums.get(name), signal)
  }
  for (const id of ids)
    await home.adopt(id, path.join(home.folder, id), known).catch((thrown: unknown) => {
      if (thrown instanceof GodHandError) throw new Refusal('machine', `machines/${id}`, thrown.message, thrown)
      throw thrown
    })
  return ids
}

async function store(
  bundle: BundleReader,
  name: string,
  to: string,
  sum: string | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const hash = createHash('sha256')
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(await bundle.stream(name), counted, createWriteStream(to, { mode: 0o600 }), {
    ...(signal && { signal }),
  })
  if (hash.digest('hex') !== sum) throw new Refusal('hash', name, 'Its content is not what was packed.')
}

async function roomFor({ machineBytes }: BundleReader, folder: string): Promise<void> {
  if (machineBytes === 0) return
  const { bavail, bsize } = await fs.statfs(path.dirname(folder))
  if (machineBytes * 1.05 < bavail * bsize) return
  throw new GodHandError('disk_full', `The machines in this trace take ${Math.ceil(machineBytes / 1e6)} MB.`, {
    hint: 'Free some disk space first. Nothing was imported.',
  })
}
