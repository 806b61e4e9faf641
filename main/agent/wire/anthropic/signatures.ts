import { createHmac } from 'node:crypto'
import { Refusal } from '../http-server.ts'
import { joined } from './rules.ts'
import type { MessagesBody, RequestBlock } from './schema.ts'

/**
 * Thinking comes with a signature and must come back as it was. On the newest models it is also bound to all that stood
 * before it: history may grow, but not change.
 */
export class Signatures {
  readonly #secret: string

  constructor(secret: string) {
    this.#secret = secret
  }

  /** For thinking that answers this request. */
  sign(thinking: string, body: MessagesBody, bound: boolean): string {
    return this.#signature(thinking, bound ? contextOf(body, joined(body)) : '')
  }

  check(body: MessagesBody, bound: boolean): void {
    const turns = joined(body)
    turns.forEach(({ role, content }, turn) => {
      if (role !== 'assistant') return
      content.forEach((block, at) => {
        if (block.type !== 'thinking') return
        const context = bound ? contextOf(body, turns.slice(0, turn)) : ''
        if (block.signature !== this.#signature(block.thinking, context))
          throw new Refusal(
            400,
            'invalid_request_error',
            `messages.${turn}.content.${at}: Invalid \`signature\` in \`thinking\` block`,
          )
      })
    })
    if (body.thinking?.type === 'enabled') mustBeginWithThinking(turns)
  }

  #signature(thinking: string, context: string): string {
    return createHmac('sha256', this.#secret).update(thinking).update('\0').update(context).digest('base64')
  }
}

function contextOf(body: MessagesBody, before: { role: string; content: RequestBlock[] }[]): string {
  const { model, system, tools } = body
  return JSON.stringify({ model, system, tools, before }, (key, value: unknown) =>
    key === 'cache_control' ? undefined : value,
  )
}

/** While tools are in use, the answer that began with them must still carry its thinking. */
function mustBeginWithThinking(turns: { role: string; content: RequestBlock[] }[]): void {
  const asked = turns.findLastIndex(
    ({ role, content }) => role === 'user' && content.every(({ type }) => type !== 'tool_result'),
  )
  const answer = turns[asked + 1]
  const first = answer?.content[0]?.type
  const calls = answer?.content.some(({ type }) => type === 'tool_use')
  if (calls && first !== 'thinking' && first !== 'redacted_thinking')
    throw new Refusal(
      400,
      'invalid_request_error',
      `messages: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
    )
}
