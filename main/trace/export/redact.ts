import { z } from 'zod'
import { RunTask, Step, Task } from '../../contract/task.ts'
import { Redaction, type RedactionInput } from '../../contract/trace.ts'
import { Lineage } from '../bundle/format.ts'
import { type LocateText, redactPicture } from './redact-picture.ts'
import { redactValue, textRedactor } from './redact-text.ts'
import type { TraceSource } from './source.ts'

/** The same trace without what must not leave the house. Every exporter reads through this, so none can forget it. */
export function redactSource(source: TraceSource, input: RedactionInput, locate?: LocateText): TraceSource {
  const redaction = Redaction.parse(input)
  const redact = textRedactor(redaction.patterns)
  const clean = <T>(shape: z.ZodType<T>, value: unknown): T => shape.parse(redactValue(value, redact))
  return {
    ...source,
    task: clean(Task, source.task),
    request: source.request && clean(RunTask, source.request),
    tags: clean(z.array(z.string()), source.tags).filter((tag, n) => tag === source.tags[n]),
    lineage: clean(Lineage, source.lineage),
    redaction: { regions: redaction.regions.length, patterns: redaction.patterns.length },
    async *steps() {
      for await (const { verdict, ...step } of source.steps())
        yield { ...clean(Step.omit({ verdict: true }), step), verdict }
    },
    async frame(hash) {
      const png = await source.frame(hash)
      return png && redactPicture(png, hash, redaction, locate)
    },
  }
}
