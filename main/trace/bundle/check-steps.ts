import type { Step } from '../../contract/task.ts'
import type { BundleReader } from './bundle-reader.ts'
import { nextLink, splitLine } from './chain.ts'
import { limits, type Manifest, names, StepLine } from './format.ts'
import { linesOf } from './lines.ts'
import { Refusal } from './refusal.ts'
import { parseStrictly } from './strict-json.ts'

/** Every step, in order, each one checked: form, place in the chain, whose it is, and that its pictures are there. */
export async function* checkedSteps(bundle: BundleReader, manifest: Manifest): AsyncGenerator<Step> {
  const pictures = new Set([...bundle.frames, ...manifest.frames.missing])
  let link = manifest.steps.seed
  let count = 0
  for await (const line of linesOf(await bundle.stream(names.steps), names.steps, limits.lineBytes)) {
    const where = `step ${count + 1}`
    const parts = splitLine(line)
    if (!parts) throw new Refusal('json', where, 'The line does not have the form of a step.')
    const { step } = parseStrictly(line, StepLine, where)
    link = nextLink(link, parts.stepJson)
    if (link !== parts.link)
      throw new Refusal('chain', where, 'The chain of hashes breaks here: this step, or one before it, was changed.')
    if (step.index !== count || step.taskId !== manifest.task.id)
      throw new Refusal('chain', where, 'It is the step of another place or of another trace.')
    for (const hash of [step.before, step.after, ...step.actions.map(({ result }) => result.frame ?? null)])
      if (hash !== null && !pictures.has(hash)) throw new Refusal('missing', where, `Its picture ${hash} is not there.`)
    count++
    yield step
  }
  if (link !== manifest.steps.head || count !== manifest.steps.count)
    throw new Refusal('chain', names.steps, `${manifest.steps.count} steps were packed, but ${count} are there.`)
}
