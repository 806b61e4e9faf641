import { z } from 'zod'

/** A model, and who serves it. */
export const ModelChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('anthropic'), model: z.string().optional() }),
  z.object({ kind: z.literal('openai'), model: z.string().optional() }),
  /** Any server that speaks the OpenAI chat protocol: Ollama, llama.cpp, LM Studio, vLLM. */
  z.object({ kind: z.literal('local'), baseUrl: z.url(), model: z.string().min(1) }),
])
export type ModelChoice = z.infer<typeof ModelChoice>
