import Anthropic from '@anthropic-ai/sdk'
import { type RetryPolicy, usualRetries, withRetries } from '../conversation/retry.ts'
import { withStallLimit } from '../conversation/stall.ts'
import type { Asking } from '../conversation/talking-planner.ts'
import type { Traits } from './models.ts'
import { olderTools, thinkingFor, toolsetTools, type WireMessage, wireSystem } from './request.ts'
import { type Reply, readReply } from './stream.ts'

export type ServiceOptions = {
  apiKey: string
  model: string
  baseUrl?: string
  retries?: RetryPolicy
  maxTokens?: number
  /** How long a stream may stand still before it counts as cut. */
  stallMs?: number
}

export type Question = Asking & {
  system: string
  messages: WireMessage[]
  screen: { width: number; height: number } // as the model is shown it
  bare?: boolean // without any tools: only words are wanted
}

const MAX_TOKENS = 16_000
const STALL_MS = 5 * 60_000

/** The Messages API, through the SDK: streamed, tried again when it is only a bad moment. */
export class MessagesService {
  readonly #client: Anthropic
  readonly #options: ServiceOptions
  readonly #traits: Traits

  constructor(options: ServiceOptions, traits: Traits) {
    this.#options = options
    this.#traits = traits
    this.#client = new Anthropic({
      apiKey: options.apiKey,
      maxRetries: 0, // ours tell the person, and cover streams that break in the middle
      ...(options.baseUrl ? { baseURL: options.baseUrl } : {}),
    })
  }

  ask(question: Question): Promise<Reply> {
    return withRetries('Anthropic', () => this.#once(question), {
      policy: this.#options.retries ?? usualRetries,
      signal: question.signal,
      onRetry: question.onNotice,
    })
  }

  #once(question: Question): Promise<Reply> {
    return withStallLimit(this.#options.stallMs ?? STALL_MS, question.signal, async (signal, alive) => {
      const events = await this.#open(question, signal)
      return readReply(events, question, alive)
    })
  }

  #open({ system, messages, screen, bare }: Question, signal: AbortSignal): Promise<AsyncIterable<unknown>> {
    const body = {
      model: this.#options.model,
      max_tokens: this.#options.maxTokens ?? MAX_TOKENS,
      system: wireSystem(system),
      messages,
      thinking: thinkingFor(this.#traits),
      stream: true,
    } as const
    if (bare) return this.#client.messages.create(body, { signal })
    const { computer, beta } = this.#traits
    if (computer === 'computer_toolset_20260801' || beta === null)
      return this.#client.messages.create({ ...body, tools: toolsetTools() }, { signal })
    return this.#client.beta.messages.create(
      { ...body, tools: olderTools(computer, screen), betas: [beta] },
      { signal },
    )
  }
}
