import type { ModelChoice } from '../../contract/model.ts'
import { addUsage, noUsage, type Usage } from '../../contract/usage.ts'
import type { Adviser } from '../adviser.ts'
import type { PlannerParts } from './choose.ts'
import { Pictures } from './conversation/pictures.ts'
import { priced } from './conversation/prices.ts'
import type { Asking } from './conversation/talking-planner.ts'
import { accessTo } from './model-key.ts'

/** The same services the planners talk to, asked one plain question. */
export async function adviserFor(
  choice: ModelChoice,
  { keys, frames }: Pick<PlannerParts, 'keys' | 'frames'>,
): Promise<Adviser> {
  const load = (hash: string) => frames.get(hash)
  switch (choice.kind) {
    case 'anthropic': {
      const access = await accessTo('anthropic', keys)
      const { DEFAULT_MODEL, traitsOf } = await import('./anthropic/models.ts')
      const { wireMessages } = await import('./anthropic/request.ts')
      const { MessagesService } = await import('./anthropic/service.ts')
      const model = choice.model ?? DEFAULT_MODEL
      const traits = traitsOf(model)
      const pictures = new Pictures(traits.view, load)
      const service = new MessagesService({ ...access, model }, traits)
      return adviser(choice, model, async ({ system, parts }, asking) => {
        const messages = await wireMessages([{ role: 'user', content: parts }], pictures)
        const reply = await service.ask({ ...asking, system, messages, screen: { width: 1, height: 1 }, bare: true })
        return reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
      })
    }
    case 'openai': {
      const access = await accessTo('openai', keys)
      const { DEFAULT_MODEL } = await import('./openai/models.ts')
      const { view } = await import('./openai/planner.ts')
      const { ResponsesService } = await import('./openai/service.ts')
      const model = choice.model ?? DEFAULT_MODEL
      const pictures = new Pictures(view, load)
      const service = new ResponsesService({ ...access, model })
      return adviser(choice, model, async ({ system, parts }, asking) => {
        const items = [{ type: 'user' as const, content: parts }]
        const question = { instructions: system, items, pictures, screen: { width: 1, height: 1 }, bare: true }
        const reply = await service.ask({ ...asking, ...question })
        return reply.items
          .flatMap((item) => (item.type === 'message' ? item.content : []))
          .map((part) => (part.type === 'output_text' ? part.text : ''))
          .join('')
      })
    }
    case 'local': {
      const { ChatService } = await import('./local/chat-service.ts')
      const { wireChat } = await import('./local/history.ts')
      const { formatFor } = await import('./local/presets.ts')
      const pictures = new Pictures(formatFor(choice.model).view, load)
      const service = new ChatService({ baseUrl: choice.baseUrl, model: choice.model })
      return adviser(choice, choice.model, async ({ system, parts }, asking) => {
        const messages = await wireChat(system, [{ role: 'user', content: parts }], pictures)
        return (await service.ask({ ...asking, messages, tools: null })).text
      })
    }
  }
}

type Question = Parameters<Adviser['ask']>[0]

function adviser(
  { kind }: ModelChoice,
  model: string,
  put: (question: Question, asking: Asking) => Promise<string>,
): Adviser {
  return {
    name: `${kind}:${model}`,
    async ask(question, signal) {
      let usage: Usage = noUsage
      const text = await put(question, {
        signal,
        onThought: () => {},
        onNotice: () => {},
        onTokens: (tokens) => {
          usage = addUsage(usage, kind === 'local' ? { ...tokens, usd: 0 } : priced(model, tokens))
        },
      })
      return { text, usage }
    },
  }
}
