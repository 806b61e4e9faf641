import type { Usage } from '../../../contract/usage.ts'

/** US dollars for a million tokens. Long prompts may cost more: `over` applies to the whole request above that many. */
type Price = Rates & { over?: { tokens: number } & Rates }
type Rates = { input: number; output: number; cacheRead: number; cacheWrite: number }

const rates = (input: number, output: number, cacheRead: number, cacheWrite = input * 1.25): Rates => ({
  input,
  output,
  cacheRead,
  cacheWrite,
})
/** OpenAI's rule above 272,000 tokens. */
const longCosts = (price: Rates): Price => ({
  ...price,
  over: {
    tokens: 272_000,
    ...rates(price.input * 2, price.output * 1.5, price.cacheRead * 2, price.cacheWrite * 2),
  },
})

/** As published in November 2026. A model that is not here is counted in tokens only. */
const prices: Record<string, Price> = {
  'claude-fable-5-1': rates(10, 50, 0.25),
  'claude-mythos-5-1': rates(10, 50, 0.25),
  'claude-fable-5': rates(10, 50, 1),
  'claude-mythos-5': rates(10, 50, 1),
  'claude-opus-5-5': rates(4, 20, 0.2),
  'claude-opus-5': rates(5, 25, 0.5),
  'claude-opus-4-8': rates(5, 25, 0.5),
  'claude-opus-4-7': rates(5, 25, 0.5),
  'claude-opus-4-6': rates(5, 25, 0.5),
  'claude-opus-4-5': rates(5, 25, 0.5),
  'claude-sonnet-5-5': rates(2, 10, 0.1),
  'claude-sonnet-5': rates(2, 10, 0.2),
  'claude-sonnet-4-6': rates(3, 15, 0.3),
  'claude-sonnet-4-5': rates(3, 15, 0.3),
  'claude-haiku-5-5': { ...rates(0.1, 0.5, 0.01), over: { tokens: 100_000, ...rates(0.5, 2.5, 0.05) } },
  'claude-haiku-4-5': rates(1, 5, 0.1),
  'gpt-6-astra': longCosts(rates(10, 50, 1)),
  'gpt-6.1-sol': longCosts(rates(2, 10, 0.1)),
  'gpt-6-sol': longCosts(rates(2, 10, 0.2)),
  'gpt-6-luna': longCosts(rates(0.1, 0.5, 0.01)),
}

/** Dated names (claude-haiku-4-5-20251001, gpt-5.5-2026-04-23) cost what their model costs. */
function priceOf(model: string): Price | undefined {
  return prices[model] ?? prices[model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '')]
}

export function priced(model: string, tokens: Omit<Usage, 'usd'>): Usage {
  const price = priceOf(model)
  if (!price) return { ...tokens, usd: null }
  const prompt = tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheWriteTokens
  const { input, output, cacheRead, cacheWrite } = price.over && prompt > price.over.tokens ? price.over : price
  const usd =
    (tokens.inputTokens * input +
      tokens.outputTokens * output +
      tokens.cacheReadTokens * cacheRead +
      tokens.cacheWriteTokens * cacheWrite) /
    1_000_000
  return { ...tokens, usd }
}
