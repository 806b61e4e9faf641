import type { ListedModel, ModelChoice, ModelService, ModelTest } from '../../contract/model.ts'
import type { SecretStore } from '../secret-store.ts'
import { withRetries } from './conversation/retry.ts'
import { listModels } from './local/discovery.ts'
import { formatFor } from './local/presets.ts'
import { accessTo } from './model-key.ts'

/** Asked once: a person waits for the answer, and a bad moment is an answer too. */
const once = { attempts: 1, firstDelayMs: 0, longestDelayMs: 0 }
const PATIENCE_MS = 60_000
const QUESTION = 'Answer with the single word: ready'
const LONGEST_ANSWER = 200
/** Room for a model that thinks before it speaks. */
const MAX_TOKENS = 1024

/** The models a service offers to this key, or a server to anybody. */
export async function modelsOf(service: ModelService, keys: SecretStore): Promise<ListedModel[]> {
  if (service.kind === 'local') {
    const names = await listModels(service.baseUrl)
    return names.map((id) => ({ id, usual: false, format: formatFor(id).id }))
  }
  const { client, name, usual } = await clientOf(service.kind, keys)
  const names = await ask(name, async (signal) => {
    const found: string[] = []
    for await (const { id } of client.models.list({}, { signal })) found.push(id)
    return found
  })
  return names.sort().map((id) => ({ id, usual: id === usual, format: null }))
}

/** Whether a model answers at all: key, name, address and network, in one small question. */
export async function testModel(choice: ModelChoice, keys: SecretStore): Promise<ModelTest> {
  const began = performance.now()
  const { model, said } = await answerOf(choice, keys)
  return { model, tookMs: Math.round(performance.now() - began), said: said.trim().slice(0, LONGEST_ANSWER) }
}

async function answerOf(choice: ModelChoice, keys: SecretStore): Promise<{ model: string; said: string }> {
  if (choice.kind === 'local') {
    const { ChatService } = await import('./local/chat-service.ts')
    const reply = await new ChatService({ ...choice, maxTokens: MAX_TOKENS, retries: once, stallMs: PATIENCE_MS }).ask({
      messages: [{ role: 'user', content: [{ type: 'text', text: QUESTION }] }],
      tools: null,
      signal: AbortSignal.timeout(PATIENCE_MS * 2),
      onThought: () => {},
      onNotice: () => {},
      onTokens: () => {},
    })
    return { model: choice.model, said: reply.text || reply.reasoning }
  }
  const service = await clientOf(choice.kind, keys)
  const model = choice.model ?? service.usual
  return { model, said: await ask(service.name, (signal) => service.say(model, signal)) }
}

function ask<T>(name: string, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  return withRetries(name, () => attempt(signal), { policy: once, signal, onRetry: () => {} })
}

/** Loaded when it is first needed, as in `choose.ts`. */
async function clientOf(kind: 'anthropic' | 'openai', keys: SecretStore) {
  const { apiKey, baseUrl } = await accessTo(kind, keys)
  const options = { apiKey, maxRetries: 0, ...(baseUrl ? { baseURL: baseUrl } : {}) }
  if (kind === 'anthropic') {
    const { default: Anthropic } = await import('@anthropic-ai/sdk')
    const { DEFAULT_MODEL: usual } = await import('./anthropic/models.ts')
    const client = new Anthropic(options)
    const say = async (model: string, signal: AbortSignal) => {
      const messages = [{ role: 'user' as const, content: QUESTION }]
      const { content } = await client.messages.create({ model, max_tokens: MAX_TOKENS, messages }, { signal })
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    }
    return { client, name: 'Anthropic', usual, say }
  }
  const { default: OpenAI } = await import('openai')
  const { DEFAULT_MODEL: usual } = await import('./openai/models.ts')
  const client = new OpenAI(options)
  const say = async (model: string, signal: AbortSignal) => {
    const wish = {
      model,
      input: [{ role: 'user' as const, content: QUESTION }],
      max_output_tokens: MAX_TOKENS,
      store: false,
    }
    return (await client.responses.create(wish, { signal })).output_text
  }
  return { client, name: 'OpenAI', usual, say }
}
