import { GodHandError } from '../contract/errors.ts'
import type { RedactionPreview } from '../contract/export.ts'
import { Redaction, type RedactionInput } from '../contract/trace.ts'
import { redactSource } from '../trace/export/redact.ts'
import { openSource } from '../trace/export/source.ts'
import type { FrameStore } from '../trace/frame-store.ts'
import { decodeFrame } from '../trace/pixels.ts'
import type { StoreReader } from '../trace/store.ts'
import { locateText } from './locate-text.ts'

const MOST_TEXTS = 50

/** By the very code an export uses, so that what is shown is what will leave. */
export async function previewRedaction(
  store: StoreReader,
  frames: FrameStore,
  taskId: string,
  hash: string,
  input: RedactionInput,
): Promise<RedactionPreview> {
  const source = openSource(store, frames, taskId)
  const redaction = Redaction.parse(input)
  const redacted = redactSource(source, redaction, locateText)
  const original = source.frames.includes(hash) ? await source.frame(hash) : null
  const png = original && (await redacted.frame(hash))
  if (!png) throw new GodHandError('not_found', 'This trace has no such picture.')
  const marked = redaction.regions
    .filter(({ frames: only }) => !only || only.includes(hash))
    .map(({ region }) => region)
  const read = redaction.patterns.length > 0 ? await locateText(await decodeFrame(original), redaction.patterns) : []
  const texts: RedactionPreview['texts'] = []
  let changed = 0
  const compare = (where: string, before: unknown, after: unknown) => {
    const [old, now] = [textsIn(before), textsIn(after)]
    for (const [n, text] of old.entries()) {
      const next = now[n] ?? ''
      if (text === next) continue
      changed++
      if (texts.length < MOST_TEXTS) texts.push({ where, before: text.slice(0, 300), after: next.slice(0, 300) })
    }
  }
  compare('task', source.task, redacted.task)
  const clean = redacted.steps()[Symbol.asyncIterator]()
  for await (const step of source.steps()) compare(`step ${step.index + 1}`, step, (await clean.next()).value)
  return { png: png.toString('base64'), covered: [...marked, ...read], texts, changed }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const parts = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)) // the redacted one may be in another order
  return parts.flatMap(([, part]) => textsIn(part))
}
