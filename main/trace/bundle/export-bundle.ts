import type { Writable } from 'node:stream'
import packageJson from '../../../package.json' with { type: 'json' }
import type { OnProgress } from '../../contract/progress.ts'
import type { TraceSource } from '../export/source.ts'
import { decodeFrame, pixelHash } from '../pixels.ts'
import { chainLine, chainSeed, nextLink } from './chain.ts'
import { FORMAT, Lineage, Manifest, names, StepLine, VERSION } from './format.ts'
import { addMachines, type PackedMachines } from './machine-files.ts'
import { type WrittenEntry, writeZip, type ZipWriter } from './zip-writer.ts'

export type BundleOptions = { now?: Date; onProgress?: OnProgress | undefined; signal?: AbortSignal | undefined }
export type ExportedBundle = { sha256: string; bytes: number; manifest: Manifest }

/** Streams the bundle: one frame and one page of steps are in memory at a time. */
export async function writeBundle(
  source: TraceSource,
  to: Writable,
  options: BundleOptions = {},
): Promise<ExportedBundle> {
  const { onProgress, signal } = options
  let manifest: Manifest | undefined
  const { digest, bytes } = await writeZip(
    to,
    async (zip) => {
      const frames = await addFrames(zip, source, onProgress, signal)
      const machines = await addMachines(zip, source.machines, onProgress, signal)
      const steps = await addSteps(zip, source, frames.renamed, onProgress)
      const lineage = Lineage.parse(renameFrames(source.lineage, frames.renamed))
      await zip.add(names.lineage, pretty(lineage), { compress: true })
      manifest = Manifest.parse(renameFrames(manifestOf(source, steps, frames, machines, options), frames.renamed))
      await zip.add(names.manifest, pretty(manifest), { compress: true })
      await zip.add(names.sums, Buffer.from(zip.written.map(sumLine).join('')), { compress: true })
    },
    { seal: true, signal },
  )
  if (!manifest) throw new Error('a bundle that ended has a manifest')
  return { sha256: digest, bytes, manifest }
}

type Frames = { count: number; bytes: number; missing: string[]; renamed: Map<string, string> }

/** A redacted picture has other pixels, so it gets another name, and every mention of the old one follows. */
async function addFrames(
  zip: ZipWriter,
  source: TraceSource,
  onProgress: OnProgress | undefined,
  signal: AbortSignal | undefined,
): Promise<Frames> {
  const frames: Frames = { count: 0, bytes: 0, missing: [], renamed: new Map() }
  const written = new Set<string>()
  for (const [n, hash] of source.frames.entries()) {
    signal?.throwIfAborted()
    onProgress?.({ step: 'Packing pictures', done: n, total: source.frames.length })
    const png = await source.frame(hash)
    if (!png) {
      frames.missing.push(hash)
      continue
    }
    const name = source.redaction ? pixelHash(await decodeFrame(png)) : hash
    if (name !== hash) frames.renamed.set(hash, name)
    if (written.has(name)) continue
    written.add(name)
    await zip.add(names.frame(name), png)
    frames.count++
    frames.bytes += png.length
  }
  return frames
}

type Steps = { count: number; seed: string; head: string }

async function addSteps(
  zip: ZipWriter,
  source: TraceSource,
  renamed: Map<string, string>,
  onProgress: OnProgress | undefined,
): Promise<Steps> {
  const seed = chainSeed(source.task.id, source.task.goal)
  const steps: Steps = { count: 0, seed, head: seed }
  const lines = async function* () {
    for await (const step of source.steps()) {
      onProgress?.({ step: 'Packing steps', done: steps.count, total: source.task.stepCount })
      const json = JSON.stringify(StepLine.shape.step.parse(renameFrames(step, renamed)))
      steps.head = nextLink(steps.head, json)
      steps.count++
      yield chainLine(steps.head, json)
    }
  }
  await zip.addText(names.steps, lines())
  return steps
}

function manifestOf(
  source: TraceSource,
  steps: Steps,
  frames: Frames,
  machines: PackedMachines,
  options: BundleOptions,
): Manifest {
  const { task } = source
  const colon = task.planner.indexOf(':')
  return Manifest.parse({
    format: FORMAT,
    version: VERSION,
    exportedAt: (options.now ?? new Date()).toISOString(),
    exporter: { name: 'GodHand', version: packageJson.version },
    task,
    model: colon < 0 ? null : task.planner.slice(colon + 1),
    request: source.request,
    environment: source.environment,
    cost: source.cost,
    tags: source.tags,
    steps,
    frames: { count: frames.count, bytes: frames.bytes, missing: frames.missing },
    ...(machines.snapshots.length > 0 && { machines }),
    redaction: source.redaction,
    origin: source.origin,
  })
}

function renameFrames<T>(value: T, renamed: Map<string, string>): unknown {
  if (renamed.size === 0) return value
  const text = JSON.stringify(value).replace(/"([0-9a-f]{64})"/g, (quoted, hash: string) => {
    const name = renamed.get(hash)
    return name ? `"${name}"` : quoted
  })
  return JSON.parse(text)
}

function sumLine({ sha256, name }: WrittenEntry): string {
  return `${sha256}  ${name}\n`
}

function pretty(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}
