import { z } from 'zod'

/** What a model's answers took. Money only where the price of the model is known: a guess would be worse than none. */
export const Usage = z.object({
  inputTokens: z.number().int().nonnegative(), // read anew, neither from nor into the provider's cache
  outputTokens: z.number().int().nonnegative(),
  cacheReadTokens: z.number().int().nonnegative(),
  cacheWriteTokens: z.number().int().nonnegative(),
  usd: z.number().nonnegative().nullable(),
})
export type Usage = z.infer<typeof Usage>

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, usd: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    usd: a.usd === null || b.usd === null ? null : a.usd + b.usd,
  }
}

export function totalTokens(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
}
