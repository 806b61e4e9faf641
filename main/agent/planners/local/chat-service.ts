import OpenAI from 'openai'
import { z } from 'zod'
import { CutShort, type RetryPolicy, usualRetries, withRetries } from '../conversation/retry.ts'
import { withStallLimit } from '../conversation/stall.ts'
import type { Asking } from '../conversation/talking-planner.ts'
import { apiRoot } from './api-root.ts'
import type { Said } from './formats/format.ts'
import { chatTools } from './formats/tools.ts'
import type { WireChatMessage } from './history.ts'

export type ChatOptions = {
  /** With or without /v1 at the end. */
  baseUrl: string
  model: string
  apiKey?: string
  retries?: RetryPolicy
  maxTokens?: number
  stallMs?: number
}

export type ChatQuestion = Asking & { messages: WireChatMessage[]; tools: keyof typeof chatTools | null }

/** A model on somebody's own computer may take its time to read a picture. */
const STALL_MS = 15 * 60_000
const MAX_TOKENS = 4096

const Chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            reasoning_content: z.string().nullish(), // llama.cpp, vLLM, LM Studio
            reasoning: z.string().nullish(), // Ollama
            tool_calls: z
              .array(
                z.object({
                  index: z.number().int().default(0),
                  id: z.string().nullish(),
                  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  usage: z.object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish(),
})

/** `refusal`: why the model will not, in its own words. */
export type ChatReply = Said & { stopReason: string; refusal: string }

/** Any server that speaks OpenAI's chat completions: Ollama, llama.cpp, LM Studio, vLLM. */
export class ChatService {
  readonly #client: OpenAI
  readonly #options: ChatOptions

  constructor(options: ChatOptions) {
    this.#options = options
    this.#client = new OpenAI({
      apiKey: options.apiKey || 'none', // local servers ask for none, the SDK insists on one
      baseURL: apiRoot(options.baseUrl),
      organization: null,
      project: null,
      maxRetries: 0,
      timeout: options.stallMs ?? STALL_MS,
    })
  }

  ask(question: ChatQuestion): Promise<ChatReply> {
    return withRetries('The model server', () => this.#once(question), {
      policy: this.#options.retries ?? usualRetries,
      signal: question.signal,
      onRetry: question.onNotice,
    })
  }

  #once(question: ChatQuestion): Promise<ChatReply> {
    return withStallLimit(this.#options.stallMs ?? STALL_MS, question.signal, async (signal, alive) => {
      const chunks = await this.#client.chat.completions.create(
        {
          model: this.#options.model,
          messages: question.messages,
          max_tokens: this.#options.maxTokens ?? MAX_TOKENS,
          temperature: 0,
          stream: true,
          stream_options: { include_usage: true },
          ...(question.tools ? { tools: chatTools[question.tools] } : {}),
        },
        { signal },
      )
      return readChunks(chunks, question, alive)
    })
  }
}

async function readChunks(chunks: AsyncIterable<unknown>, asking: Asking, alive: () => void): Promise<ChatReply> {
  const said: ChatReply = { text: '', reasoning: '', calls: [], stopReason: '', refusal: '' }
  const calls = new Map<number, { id: string; name: string; arguments: string }>()
  const tokens = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }
  try {
    for await (const given of chunks) {
      alive()
      const parsed = Chunk.safeParse(given)
      if (!parsed.success) continue
      const { choices, usage } = parsed.data
      tokens.inputTokens = usage?.prompt_tokens ?? tokens.inputTokens
      tokens.outputTokens = usage?.completion_tokens ?? tokens.outputTokens
      const [choice] = choices
      if (!choice) continue
      said.stopReason = choice.finish_reason ?? said.stopReason
      const thinking = choice.delta?.reasoning_content ?? choice.delta?.reasoning ?? ''
      const words = choice.delta?.content ?? ''
      said.reasoning += thinking
      said.text += words
      said.refusal += choice.delta?.refusal ?? ''
      if (thinking || words) asking.onThought(thinking + words)
      for (const part of choice.delta?.tool_calls ?? []) {
        const fresh = { id: part.id || `call_${calls.size}`, name: '', arguments: '' }
        // Ollama gives every call the index 0, but each its own id.
        const index =
          part.id && calls.get(part.index) && calls.get(part.index)?.id !== part.id ? calls.size : part.index
        const call = calls.get(index) ?? fresh
        call.name += part.function?.name ?? ''
        call.arguments += part.function?.arguments ?? ''
        calls.set(index, call)
      }
      if (said.text.length + said.reasoning.length > 40_000_000) throw new CutShort('The answer had no end')
    }
  } finally {
    asking.onTokens(tokens)
  }
  if (said.stopReason === '') throw new CutShort('The answer was cut off')
  said.calls = [...calls.values()]
  return said
}
