import { GodHandError } from '../../contract/errors.ts'
import type { BundleReader } from './bundle-reader.ts'
import { chainSeed } from './chain.ts'
import { AnyVersion, Lineage, Manifest, names, VERSION } from './format.ts'
import { Refusal } from './refusal.ts'
import { parseStrictly } from './strict-json.ts'

export async function checkedManifest(bundle: BundleReader): Promise<Manifest> {
  const text = await textOf(bundle, names.manifest)
  const { version } = parseStrictly(text, AnyVersion, names.manifest)
  if (version !== VERSION)
    throw new Refusal(
      'version',
      names.manifest,
      `It has version ${version} of the format; this GodHand reads version ${VERSION}.`,
    )
  const manifest = parseStrictly(text, Manifest, names.manifest)
  const { task, steps, frames } = manifest
  if (steps.seed !== chainSeed(task.id, task.goal))
    throw new Refusal('chain', names.manifest, 'The steps belong to another goal.')
  if (steps.count !== task.stepCount || frames.count !== bundle.frames.length)
    throw new Refusal('missing', names.manifest, 'It counts other steps or pictures than there are.')
  const { snapshots, bytes } = manifest.machines ?? { snapshots: [], bytes: 0 }
  if (snapshots.join() !== bundle.machines.join() || bytes !== bundle.machineBytes)
    throw new Refusal('missing', names.manifest, 'It counts other machines than there are.')
  return manifest
}

export async function checkedLineage(bundle: BundleReader): Promise<Lineage> {
  const lineage = parseStrictly(await textOf(bundle, names.lineage), Lineage, names.lineage)
  for (const list of [lineage.machines, lineage.snapshots, lineage.branches ?? []]) refuseTwins(list)
  const known = new Set(lineage.snapshots.map(({ id }) => id))
  const unknown = bundle.machines.find((id) => !known.has(id))
  if (unknown) throw new Refusal('missing', names.lineage, `It does not say where the machine ${unknown} belongs.`)
  return lineage
}

function refuseTwins(list: { id: string }[]): void {
  const seen = new Set<string>()
  for (const { id } of list) {
    if (seen.has(id)) throw new Refusal('shape', names.lineage, `It has two of the name ${id}.`)
    seen.add(id)
  }
}

/** name → sha256, for everything but the list itself, in the order of the file. */
export async function checkedSums(bundle: BundleReader): Promise<Map<string, string>> {
  const text = await textOf(bundle, names.sums)
  const sums = new Map<string, string>()
  for (const line of text.split('\n').slice(0, -1)) {
    const [, hash, name] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? []
    if (!hash || !name || sums.has(name)) throw new Refusal('json', names.sums, 'It has a line that is not a sum.')
    sums.set(name, hash)
  }
  const expected = bundle.names.filter((name) => name !== names.sums)
  if (!text.endsWith('\n') || expected.join('\n') !== [...sums.keys()].join('\n'))
    throw new Refusal('missing', names.sums, 'It does not list the files that are there.')
  return sums
}

async function textOf(bundle: BundleReader, name: string): Promise<string> {
  const content = await bundle.read(name)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch (cause) {
    throw new Refusal('json', name, 'It is not UTF-8 text.', cause)
  }
}

/** As an error for a person who wanted to use the file. */
export function refusedBundle(file: string, refusal: Refusal): GodHandError {
  const { kind, where, message } = refusal.problem
  const fromTheFuture = kind === 'version'
  return new GodHandError(
    fromTheFuture ? 'unsupported' : 'corrupt',
    `The trace was refused: ${where}: ${message} Nothing was imported.`,
    {
      hint: fromTheFuture ? 'Update GodHand.' : 'Get the file again from where it came from, and compare its hash.',
      cause: refusal,
      details: { file, problem: refusal.problem },
    },
  )
}
