import OpenAI from 'openai'
import { z } from 'zod'
import { guestTools, leadingTools } from '../conversation/own-tools.ts'
import type { Pictures } from '../conversation/pictures.ts'
import { CutShort, type RetryPolicy, usualRetries, withRetries } from '../conversation/retry.ts'
import { withStallLimit } from '../conversation/stall.ts'
import type { Asking } from '../conversation/talking-planner.ts'
import { type Item, OutputItem } from './items.ts'

export type ResponsesOptions = {
  apiKey: string
  model: string
  baseUrl?: string
  retries?: RetryPolicy
  maxTokens?: number
  stallMs?: number
}

export type ResponsesQuestion = Asking & {
  instructions: string
  items: Item[]
  pictures: Pictures
  screen: { width: number; height: number }
  bare?: boolean // without any tools: only words are wanted
}

export type Reply = { items: OutputItem[]; incomplete: string | null }

const STALL_MS = 10 * 60_000
const MAX_TOKENS = 16_000
const PREVIEW = /^computer-use-preview/

const functions = [...leadingTools, ...guestTools].map(({ name, description, schema }) => ({
  type: 'function' as const,
  name,
  description,
  parameters: schema,
  strict: false, // our schemas have optional fields, and refer to themselves
}))

const Count = z.number().int().nonnegative().nullish()
const Ended = z.object({
  usage: z
    .object({
      input_tokens: Count,
      output_tokens: Count,
      input_tokens_details: z.object({ cached_tokens: Count, cache_write_tokens: Count }).nullish(),
    })
    .nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
})
const StreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('response.output_text.delta'), delta: z.string() }),
  z.object({ type: z.literal('response.reasoning_summary_text.delta'), delta: z.string() }),
  z.object({ type: z.literal('response.output_item.done'), item: z.unknown() }),
  z.object({ type: z.literal('response.completed'), response: Ended }),
  z.object({ type: z.literal('response.incomplete'), response: Ended }),
  z.object({ type: z.literal('response.failed'), response: Ended }),
  z.object({ type: z.literal('error'), message: z.string().nullish(), code: z.string().nullish() }),
])

/** OpenAI's Responses API, through the SDK. Nothing is kept on their side: the conversation is ours. */
export class ResponsesService {
  readonly #client: OpenAI
  readonly #options: ResponsesOptions

  constructor(options: ResponsesOptions) {
    this.#options = options
    this.#client = new OpenAI({
      apiKey: options.apiKey,
      maxRetries: 0,
      ...(options.baseUrl ? { baseURL: options.baseUrl } : {}),
    })
  }

  ask(question: ResponsesQuestion): Promise<Reply> {
    return withRetries('OpenAI', () => this.#once(question), {
      policy: this.#options.retries ?? usualRetries,
      signal: question.signal,
      onRetry: question.onNotice,
    })
  }

  #once(question: ResponsesQuestion): Promise<Reply> {
    return withStallLimit(this.#options.stallMs ?? STALL_MS, question.signal, async (signal, alive) => {
      const preview = PREVIEW.test(this.#options.model)
      const { width, height } = question.screen
      const computer = preview
        ? ({
            type: 'computer_use_preview',
            display_width: width,
            display_height: height,
            environment: 'linux',
          } as const)
        : ({ type: 'computer' } as const)
      const events = await this.#client.responses.create(
        {
          model: this.#options.model,
          instructions: question.instructions,
          input: await wireItems(question.items, question.pictures),
          ...(question.bare ? {} : { tools: [computer, ...functions] }),
          max_output_tokens: this.#options.maxTokens ?? MAX_TOKENS,
          reasoning: { summary: 'auto' },
          include: ['reasoning.encrypted_content'],
          store: false,
          stream: true,
          ...(preview ? { truncation: 'auto' } : {}),
        },
        { signal },
      )
      return readEvents(events, question, alive)
    })
  }
}

async function readEvents(events: AsyncIterable<unknown>, asking: Asking, alive: () => void): Promise<Reply> {
  const items: OutputItem[] = []
  let ended: z.infer<typeof Ended> | null = null
  for await (const given of events) {
    alive()
    const parsed = StreamEvent.safeParse(given)
    if (!parsed.success) continue // there are many kinds, and more to come
    const event = parsed.data
    if ('delta' in event) asking.onThought(event.delta)
    else if (event.type === 'response.output_item.done') {
      const item = OutputItem.safeParse(event.item)
      if (item.success) items.push(item.data)
    } else if (event.type === 'error')
      throw new CutShort(`${event.code ?? ''} ${event.message ?? 'stream error'}`.trim())
    else {
      ended = event.response
      tellTokens(ended, asking)
      if (event.type === 'response.failed')
        throw new CutShort(`${ended.error?.code ?? ''} ${ended.error?.message ?? 'the response failed'}`.trim())
    }
  }
  if (!ended) throw new CutShort('The answer was cut off')
  return { items, incomplete: ended.incomplete_details?.reason ?? null }
}

function tellTokens({ usage }: z.infer<typeof Ended>, asking: Asking): void {
  const cacheReadTokens = usage?.input_tokens_details?.cached_tokens ?? 0
  const cacheWriteTokens = usage?.input_tokens_details?.cache_write_tokens ?? 0
  asking.onTokens({
    inputTokens: Math.max(0, (usage?.input_tokens ?? 0) - cacheReadTokens - cacheWriteTokens),
    outputTokens: usage?.output_tokens ?? 0,
    cacheReadTokens,
    cacheWriteTokens,
  })
}

type WireItem = OpenAI.Responses.ResponseInputItem

async function wireItems(items: Item[], pictures: Pictures): Promise<WireItem[]> {
  return Promise.all(items.map((item) => wireItem(item, pictures)))
}

async function wireItem(item: Item, pictures: Pictures): Promise<WireItem> {
  const url = async (ref: Parameters<Pictures['get']>[0]) => {
    const encoded = await pictures.get(ref)
    return encoded ? `data:${encoded.mediaType};base64,${encoded.base64}` : null
  }
  switch (item.type) {
    case 'user': {
      const content = item.content.map(async (part) => {
        const image_url = part.type === 'picture' ? await url(part.picture) : null
        if (image_url) return { type: 'input_image' as const, image_url, detail: 'original' as const }
        return { type: 'input_text' as const, text: part.type === 'text' ? part.text : '[A screenshot that is lost.]' }
      })
      return { type: 'message', role: 'user', content: await Promise.all(content) }
    }
    case 'computer_call_output': {
      const image_url = (await url(item.picture)) ?? BLANK
      // The service takes `detail` here as in any picture: without it, it may scale what the model then points at.
      const output = { type: 'computer_screenshot' as const, image_url, detail: 'original' }
      const { call_id, acknowledged } = item
      return {
        type: 'computer_call_output',
        call_id,
        output,
        ...(acknowledged.length > 0 ? { acknowledged_safety_checks: acknowledged.map(wireCheck) } : {}),
      }
    }
    case 'function_call_output':
      return { type: 'function_call_output', call_id: item.call_id, output: item.text }
    case 'computer_call': {
      const parsed = OpenAiCall.parse(item)
      return { ...parsed, pending_safety_checks: item.pending_safety_checks.map(wireCheck) }
    }
    case 'function_call': {
      const { id, ...call } = item
      return id === undefined ? call : { ...call, id }
    }
    case 'reasoning': {
      const { encrypted_content, ...reasoning } = item
      return encrypted_content ? { ...reasoning, encrypted_content } : reasoning
    }
    case 'message': {
      const { phase, ...message } = item
      const content = item.content.map((part) => (part.type === 'output_text' ? { ...part, annotations: [] } : part))
      return { ...message, content, ...(phase ? { phase } : {}) }
    }
  }
}

/** What the service sent goes back as it came; the SDK's types name every action, so it is said to be of that type here. */
const OpenAiCall = z.custom<OpenAI.Responses.ResponseComputerToolCall>(
  (value) => typeof value === 'object' && value !== null && 'call_id' in value,
)

function wireCheck({
  id,
  code,
  message,
}: {
  id: string
  code?: string | null | undefined
  message?: string | null | undefined
}) {
  return { id, ...(code ? { code } : {}), ...(message ? { message } : {}) }
}

/** One white pixel, for a screenshot that is lost: a call must have its output. */
const BLANK =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/58BAwAI/AL+Wc8+UQAAAABJRU5ErkJggg=='
