import type { IncomingMessage, ServerResponse } from 'node:http'
import { LoopbackServer, Refusal, readBody, sendJson } from './http-server.ts'
import { type ChatBody, parseChat } from './openai/chat-schema.ts'

export type { ChatBody } from './openai/chat-schema.ts'
export { imagesIn } from './openai/chat-schema.ts'

export type ChatAnswer =
  | ChatSaid
  | { status: number; message: string; headers?: Record<string, string> }
  | (ChatSaid & { cutAfter: number })
  | (ChatSaid & { hangAfter: number })

export type ChatSaid = {
  text?: string
  reasoning?: string
  refusal?: string
  calls?: { name: string; arguments: unknown; id?: string }[] // arguments as a text go out as they are
  finish?: string
  usage?: { input: number; output: number }
}

export type RespondToChat = (request: ChatBody, count: number) => ChatAnswer | Promise<ChatAnswer>

const BODY_LIMIT = 50_000_000

/** An OpenAI-compatible chat server on the loopback, as strict as the strictest of them. For tests. */
export class OpenAiChatServer {
  readonly requests: ChatBody[] = []
  readonly refused: { status: number; message: string }[] = []
  readonly models: string[]
  readonly #respond: RespondToChat
  readonly #server = new LoopbackServer((request, response) => this.#handle(request, response))
  #ids = 0

  private constructor(models: string[], respond: RespondToChat) {
    this.models = models
    this.#respond = respond
  }

  static async start(models: string[], answers: ChatAnswer[] | RespondToChat): Promise<OpenAiChatServer> {
    const scripted: RespondToChat = (_request, count) =>
      (Array.isArray(answers) ? answers[count] : undefined) ?? {
        status: 500,
        message: `The script has no answer number ${count}.`,
        headers: { 'x-should-retry': 'false' },
      }
    const server = new OpenAiChatServer(models, Array.isArray(answers) ? scripted : answers)
    await server.#server.listen()
    return server
  }

  get url(): string {
    return this.#server.url
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.method === 'GET' && request.url === '/v1/models')
        return sendJson(response, 200, { object: 'list', data: this.models.map((id) => ({ id, object: 'model' })) })
      const text = await readBody(request, BODY_LIMIT)
      if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
        throw new Refusal(404, 'invalid_request_error', `Invalid URL (${request.method} ${request.url})`)
      if (text === null) throw new Refusal(413, 'invalid_request_error', 'The request is too large.')
      const body = parseChat(text)
      if (!this.models.includes(body.model))
        throw new Refusal(404, 'invalid_request_error', `The model '${body.model}' does not exist.`)
      this.requests.push(body)
      const answer = await this.#respond(body, this.requests.length - 1)
      if ('status' in answer) {
        const error = { message: answer.message, type: 'server_error', param: null, code: null }
        return sendJson(response, answer.status, { error }, answer.headers)
      }
      this.#speak(body, answer, response)
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      const { status, type, message } = thrown
      this.refused.push({ status, message })
      sendJson(response, status, { error: { message, type, param: null, code: null } })
    }
  }

  #speak(body: ChatBody, said: ChatSaid, response: ServerResponse): void {
    const calls = (said.calls ?? []).map((call, index) => ({
      index,
      id: call.id ?? `call_${++this.#ids}`,
      type: 'function',
      function: {
        name: call.name,
        arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
      },
    }))
    const finish = said.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')
    const usage = {
      prompt_tokens: said.usage?.input ?? 1000,
      completion_tokens: said.usage?.output ?? 50,
      total_tokens: 0,
    }
    const base = { id: `chatcmpl-${++this.#ids}`, created: 0, model: body.model }
    if (!body.stream) {
      const message = {
        role: 'assistant',
        content: said.text ?? null,
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
      }
      const choices = [{ index: 0, message, finish_reason: finish }]
      sendJson(response, 200, { ...base, object: 'chat.completion', choices, usage })
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const deltas: Record<string, unknown>[] = [
      { role: 'assistant', content: '' },
      ...pieces(said.reasoning ?? '').map((reasoning_content) => ({ reasoning_content })),
      ...pieces(said.text ?? '').map((content) => ({ content })),
      ...pieces(said.refusal ?? '').map((refusal) => ({ refusal })),
      ...calls.flatMap((call) => [
        { tool_calls: [{ ...call, function: { ...call.function, arguments: '' } }] },
        ...pieces(call.function.arguments).map((part) => ({
          tool_calls: [{ index: call.index, function: { arguments: part } }],
        })),
      ]),
    ]
    const chunks: unknown[] = deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] }))
    chunks.push({ choices: [{ index: 0, delta: {}, finish_reason: finish }] })
    if (body.stream_options?.include_usage) chunks.push({ choices: [], usage })
    for (const [count, chunk] of chunks.entries()) {
      if ('cutAfter' in said && count >= Number(said.cutAfter)) {
        response.socket?.end()
        return
      }
      if ('hangAfter' in said && count >= Number(said.hangAfter)) return
      response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...Object(chunk) })}\n\n`)
    }
    response.end('data: [DONE]\n\n')
  }
}

function pieces(text: string): string[] {
  const length = Math.max(12, Math.ceil(text.length / 100))
  return Array.from({ length: Math.ceil(text.length / length) }, (_, n) => text.slice(n * length, (n + 1) * length))
}
