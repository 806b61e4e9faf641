import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import { GodHandError } from '../../contract/errors.ts'
import type { OnProgress } from '../../contract/progress.ts'
import type { BundleProblem, BundleReport } from '../../contract/trace.ts'
import { type BundleReader, openBundle } from './bundle-reader.ts'
import { forEachFrame } from './check-frames.ts'
import { checkedLineage, checkedManifest, checkedSums } from './check-manifest.ts'
import { checkedSteps } from './check-steps.ts'
import { MACHINE_FILE, type Manifest, names } from './format.ts'
import { Refusal } from './refusal.ts'
import { checkSeal } from './seal.ts'

export type VerifyOptions = { onProgress?: OnProgress | undefined; signal?: AbortSignal | undefined }

/** Looks at every byte. A broken seal proves that something changed; the rest of the checks say what. */
export async function verifyBundle(file: string, options: VerifyOptions = {}): Promise<BundleReport> {
  const { size } = await fs.stat(file).catch((cause) => {
    throw new GodHandError('not_found', `There is no file ${file}.`, { cause })
  })
  const report: BundleReport = {
    ok: false,
    sha256: '',
    bytes: size,
    goal: null,
    steps: 0,
    frames: 0,
    machines: 0,
    problems: [],
  }
  options.onProgress?.({ step: 'Checking the seal', done: 0, total: -1 })
  const seal = await checkSeal(file, options.signal)
  report.sha256 = seal.expected
  if (!seal.intact) report.problems.push(brokenSeal(seal.sealed))
  const problem = await firstProblem(() => examine(file, report, options))
  if (problem) report.problems.push(problem)
  report.ok = report.problems.length === 0
  return report
}

async function examine(file: string, report: BundleReport, { onProgress, signal }: VerifyOptions): Promise<void> {
  const bundle = await openBundle(file)
  try {
    const manifest = await checkedManifest(bundle)
    report.goal = manifest.task.goal
    report.machines = bundle.machines.length
    const sums = await checkedSums(bundle)
    await checkSums(bundle, sums)
    await checkedLineage(bundle)
    for await (const _ of checkedSteps(bundle, manifest)) {
      signal?.throwIfAborted()
      report.steps++
      onProgress?.({ step: 'Checking steps', done: report.steps, total: manifest.steps.count })
    }
    await checkAllFrames(bundle, sums, manifest, report, { onProgress, signal })
  } finally {
    bundle.close()
  }
}

/** Of what is not a picture; those are checked as they are decoded. */
async function checkSums(bundle: BundleReader, sums: Map<string, string>): Promise<void> {
  const machines = bundle.names.filter((name) => MACHINE_FILE.test(name))
  for (const name of [names.steps, names.lineage, names.manifest, ...machines]) {
    const hash = createHash('sha256')
    try {
      for await (const chunk of await bundle.stream(name)) hash.update(chunk)
    } catch (cause) {
      if (cause instanceof Refusal) throw cause
      throw new Refusal('layout', name, 'It cannot be unpacked.', cause)
    }
    if (hash.digest('hex') !== sums.get(name)) throw new Refusal('hash', name, 'Its content is not what was packed.')
  }
}

async function checkAllFrames(
  bundle: BundleReader,
  sums: Map<string, string>,
  manifest: Manifest,
  report: BundleReport,
  { onProgress, signal }: VerifyOptions,
): Promise<void> {
  let bytes = 0
  await forEachFrame(
    bundle,
    sums,
    ({ png }) => {
      bytes += png.length
      report.frames++
      onProgress?.({ step: 'Checking pictures', done: report.frames, total: manifest.frames.count })
    },
    signal,
  )
  if (bytes !== manifest.frames.bytes)
    throw new Refusal('missing', names.manifest, 'The pictures are of another size than was packed.')
}

export async function firstProblem(work: () => Promise<void>): Promise<BundleProblem | null> {
  try {
    await work()
    return null
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.problem
    throw thrown
  }
}

export function brokenSeal(sealed: boolean): BundleProblem {
  return {
    kind: 'seal',
    where: 'the whole file',
    message: sealed
      ? 'The file was changed after it was sealed, or damaged on its way.'
      : 'The file does not end with the seal of a trace.',
  }
}
