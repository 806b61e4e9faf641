import { z } from 'zod'
import { CutShort } from '../conversation/retry.ts'
import type { Asking, Tokens } from '../conversation/talking-planner.ts'
import type { AssistantBlock } from './history.ts'

/** Puts a streamed answer together. The SDK's own helper gives up on arguments that are no JSON; a model can be told. */

const count = z.number().int().nonnegative().nullish()
const UsagePart = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
})

const Start = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().default('') }),
  z.object({ type: z.literal('thinking'), thinking: z.string().default(''), signature: z.string().default('') }),
  z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
    toolset_name: z.string().nullish(),
  }),
])
const Delta = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text_delta'), text: z.string() }),
  z.object({ type: z.literal('thinking_delta'), thinking: z.string() }),
  z.object({ type: z.literal('signature_delta'), signature: z.string() }),
  z.object({ type: z.literal('input_json_delta'), partial_json: z.string() }),
])
const StreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message: z.object({ usage: UsagePart }) }),
  z.object({
    type: z.literal('content_block_start'),
    index: z.number(),
    content_block: Start.catch({ type: 'text', text: '' }),
  }),
  z.object({ type: z.literal('content_block_delta'), index: z.number(), delta: Delta.nullable().catch(null) }),
  z.object({ type: z.literal('content_block_stop'), index: z.number() }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.object({
      stop_reason: z.string().nullish(),
      stop_details: z.object({ explanation: z.string().nullish() }).nullish().catch(null),
    }),
    usage: UsagePart.nullish(),
  }),
  z.object({ type: z.literal('message_stop') }),
])

export type Reply = {
  content: AssistantBlock[]
  stopReason: string
  refusal: string | null
}

/** What a model writes beyond this is not an answer any more. */
const LONGEST = 40_000_000

type Open = { start: z.infer<typeof Start>; json: string; closed: boolean }

export async function readReply(
  events: AsyncIterable<unknown>,
  { onThought, onTokens }: Pick<Asking, 'onThought' | 'onTokens'>,
  alive: () => void,
): Promise<Reply> {
  const blocks = new Map<number, Open>()
  let usage: z.infer<typeof UsagePart> = {}
  let stopReason: string | null = null
  let refusal: string | null = null
  let whole = false
  let length = 0
  try {
    for await (const given of events) {
      alive()
      const parsed = StreamEvent.safeParse(given)
      if (!parsed.success) continue // events added to the service later
      const event = parsed.data
      if (event.type === 'message_start') usage = event.message.usage
      else if (event.type === 'content_block_start')
        blocks.set(event.index, { start: event.content_block, json: '', closed: false })
      else if (event.type === 'content_block_stop') {
        const block = blocks.get(event.index)
        if (block) block.closed = true
      } else if (event.type === 'message_delta') {
        stopReason = event.delta.stop_reason ?? stopReason
        refusal = event.delta.stop_details?.explanation ?? refusal
        usage = merged(usage, event.usage ?? {})
      } else if (event.type === 'message_stop') whole = true
      else {
        length += grow(blocks.get(event.index), event.delta, onThought)
        if (length > LONGEST) throw new CutShort('The answer had no end')
      }
    }
  } finally {
    onTokens(tokensOf(usage))
  }
  if (!whole || stopReason === null) throw new CutShort('The answer was cut off')
  const content = [...blocks.values()].flatMap((block) => finished(block))
  return { content, stopReason, refusal }
}

function grow(
  block: Open | undefined,
  delta: z.infer<typeof Delta> | null,
  onThought: (delta: string) => void,
): number {
  if (!block || !delta) return 0
  const { start } = block
  if (delta.type === 'text_delta' && start.type === 'text') {
    start.text += delta.text
    onThought(delta.text)
    return delta.text.length
  }
  if (delta.type === 'thinking_delta' && start.type === 'thinking') {
    start.thinking += delta.thinking
    onThought(delta.thinking)
    return delta.thinking.length
  }
  if (delta.type === 'signature_delta' && start.type === 'thinking') start.signature += delta.signature
  if (delta.type === 'input_json_delta' && start.type === 'tool_use') {
    block.json += delta.partial_json
    return delta.partial_json.length
  }
  return 0
}

/** A block that was never closed, as at the length limit, is left out: half a thought cannot be sent back. */
function finished({ start, json, closed }: Open): AssistantBlock[] {
  if (start.type === 'text') return start.text.trim() === '' ? [] : [start]
  if (!closed) return []
  if (start.type === 'thinking') return start.signature === '' ? [] : [start]
  if (start.type === 'redacted_thinking') return [start]
  const { toolset_name, ...call } = start
  return [{ ...call, input: inputOf(start.input, json), ...(toolset_name ? { toolset_name } : {}) }]
}

export const INVALID_JSON = 'invalid_json'

function inputOf(given: unknown, json: string): unknown {
  if (json.trim() === '') return isObject(given) ? given : {}
  try {
    const input: unknown = JSON.parse(json)
    return isObject(input) ? input : { [INVALID_JSON]: json.slice(0, 2000) }
  } catch {
    return { [INVALID_JSON]: json.slice(0, 2000) }
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Later counts replace earlier ones, where they are given at all. */
function merged(a: z.infer<typeof UsagePart>, b: z.infer<typeof UsagePart>): z.infer<typeof UsagePart> {
  return {
    input_tokens: b.input_tokens ?? a.input_tokens,
    output_tokens: b.output_tokens ?? a.output_tokens,
    cache_read_input_tokens: b.cache_read_input_tokens ?? a.cache_read_input_tokens,
    cache_creation_input_tokens: b.cache_creation_input_tokens ?? a.cache_creation_input_tokens,
  }
}

function tokensOf(usage: z.infer<typeof UsagePart>): Tokens {
  return {
    inputTokens: usage.input_tokens ?? 0,
    outputTokens: usage.output_tokens ?? 0,
    cacheReadTokens: usage.cache_read_input_tokens ?? 0,
    cacheWriteTokens: usage.cache_creation_input_tokens ?? 0,
  }
}
