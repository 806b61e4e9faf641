import { z } from 'zod'

const local = z.object({ kind: z.literal('local'), baseUrl: z.url() })

export const LocalModel = local.extend({
  model: z.string().min(1),
  format: z.string().max(40).optional(), // how it is spoken to; by its name when left out
})
export type LocalModel = z.infer<typeof LocalModel>

/** A model, and who serves it. */
export const ModelChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('anthropic'), model: z.string().optional() }),
  z.object({ kind: z.literal('openai'), model: z.string().optional() }),
  /** Any server that speaks the OpenAI chat protocol: Ollama, llama.cpp, LM Studio, vLLM. */
  LocalModel,
])
export type ModelChoice = z.infer<typeof ModelChoice>

/** Who can be asked which models there are. */
export const ModelService = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('anthropic') }),
  z.object({ kind: z.literal('openai') }),
  local,
])
export type ModelService = z.infer<typeof ModelService>

export const ListedModel = z.object({
  id: z.string(),
  usual: z.boolean(), // the one that is taken when none is named
  format: z.string().nullable(), // of a local model: how it would be spoken to
})
export type ListedModel = z.infer<typeof ListedModel>

/** A server that was found on this computer. */
export const FoundServer = z.object({ name: z.string(), url: z.string(), models: z.array(z.string()) })
export type FoundServer = z.infer<typeof FoundServer>

/** What came of asking a model something small. */
export const ModelTest = z.object({ model: z.string(), tookMs: z.number(), said: z.string() })
export type ModelTest = z.infer<typeof ModelTest>

const Axis = z.object({ scale: z.number(), offset: z.number() })
export type Axis = z.infer<typeof Axis>

/** For each axis: number × scale + offset = share of the screen, 0 at its left or top edge, 1 at the other. */
export const Mapping = z.object({ x: Axis, y: Axis })
export type Mapping = z.infer<typeof Mapping>

/** What is known about how well a model on a server can point. */
export const Calibration = z.object({
  model: z.string(),
  server: z.string(),
  format: z.string(),
  screen: z.object({ width: z.number().int(), height: z.number().int() }),
  space: z.enum(['pixels', 'thousand', 'unit', 'other']),
  mapping: Mapping,
  medianPx: z.number(),
  worstPx: z.number(),
  asked: z.number().int(),
  answered: z.number().int(), // with a place at all
  thrownOut: z.number().int(),
  blind: z.boolean(), // true: nothing may be clicked with it
  verdict: z.string(), // one sentence for the person
  at: z.string(),
})
export type Calibration = z.infer<typeof Calibration>
