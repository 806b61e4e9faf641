import type { IncomingMessage, ServerResponse } from 'node:http'
import { LoopbackServer, Refusal, readBody, sendJson } from './http-server.ts'
import { checkResponses, parseResponses, type ResponsesBody } from './openai/responses-schema.ts'

export type { ResponsesBody } from './openai/responses-schema.ts'

export type ResponseBlock =
  | { type: 'text'; text: string }
  | { type: 'refusal'; refusal: string }
  | { type: 'reasoning'; summary: string }
  | { type: 'computer'; actions: unknown[]; checks?: { id: string; code: string; message: string }[] }
  | { type: 'function'; name: string; arguments: unknown } // a text goes out as it is

export type ResponseAnswer =
  | ResponseSaid
  | { status: number; message: string; code?: string; headers?: Record<string, string> }
  | (ResponseSaid & { cutAfter: number })
  | (ResponseSaid & { hangAfter: number })
  /** The stream begins, and then the response fails. */
  | (ResponseSaid & { failed: { code: string; message: string } })

export type ResponseSaid = {
  output: ResponseBlock[]
  incomplete?: 'max_output_tokens' | 'content_filter'
  usage?: { input: number; output: number; cached?: number }
}

export type RespondToItems = (request: ResponsesBody, count: number) => ResponseAnswer | Promise<ResponseAnswer>

const MODELS = /^(gpt-[56]|computer-use-preview)/
const LISTED = ['gpt-6.1-sol', 'gpt-6-luna', 'computer-use-preview']
const BODY_LIMIT = 50_000_000

export const openAi = {
  say: (text: string): ResponseBlock => ({ type: 'text', text }),
  think: (summary: string): ResponseBlock => ({ type: 'reasoning', summary }),
  computer: (...actions: unknown[]): ResponseBlock => ({ type: 'computer', actions }),
  call: (name: string, args: unknown): ResponseBlock => ({ type: 'function', name, arguments: args }),
}

/** OpenAI's Responses API on the loopback, for tests: refuses what the real service refuses. */
export class OpenAiResponsesServer {
  readonly requests: ResponsesBody[] = []
  readonly refused: { status: number; message: string }[] = []
  readonly apiKey = 'sk-test'
  readonly #respond: RespondToItems
  readonly #server = new LoopbackServer((request, response) => this.#handle(request, response))
  readonly #issued = new Map<string, string>() // the encrypted content of each piece of reasoning
  #ids = 0

  private constructor(respond: RespondToItems) {
    this.#respond = respond
  }

  static async start(answers: ResponseAnswer[] | RespondToItems): Promise<OpenAiResponsesServer> {
    const scripted: RespondToItems = (_request, count) =>
      (Array.isArray(answers) ? answers[count] : undefined) ?? {
        status: 500,
        message: `The script has no answer number ${count}.`,
        headers: { 'x-should-retry': 'false' },
      }
    const server = new OpenAiResponsesServer(Array.isArray(answers) ? scripted : answers)
    await server.#server.listen()
    return server
  }

  /** As the SDK wants it. */
  get url(): string {
    return `${this.#server.url}/v1`
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const text = await readBody(request, BODY_LIMIT)
      if (request.headers.authorization !== `Bearer ${this.apiKey}`)
        throw new Refusal(401, 'invalid_request_error', 'Incorrect API key provided.')
      if (request.method === 'GET' && request.url === '/v1/models')
        return sendJson(response, 200, { object: 'list', data: LISTED.map((id) => ({ id, object: 'model' })) })
      if (request.method !== 'POST' || request.url !== '/v1/responses')
        throw new Refusal(404, 'invalid_request_error', `Invalid URL (${request.method} ${request.url})`)
      if (text === null) throw new Refusal(413, 'invalid_request_error', 'The request is too large.')
      const body = parseResponses(text)
      if (!MODELS.test(body.model))
        throw new Refusal(404, 'invalid_request_error', `The requested model '${body.model}' does not exist.`)
      checkResponses(body, this.#issued)
      this.requests.push(body)
      const answer = await this.#respond(body, this.requests.length - 1)
      if ('status' in answer) {
        const error = { message: answer.message, type: 'server_error', param: null, code: answer.code ?? null }
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

  #speak(body: ResponsesBody, said: ResponseSaid, response: ServerResponse): void {
    const output = said.output.map((block) => this.#item(block))
    const input = said.usage?.input ?? 1000
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: said.usage?.cached ?? 0, cache_write_tokens: 0 },
      output_tokens: said.usage?.output ?? 50,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + (said.usage?.output ?? 50),
    }
    const base = { id: this.#id('resp'), object: 'response', created_at: 0, model: body.model, error: null }
    const failed = 'failed' in said ? said.failed : null
    const status = failed ? 'failed' : said.incomplete ? 'incomplete' : 'completed'
    const incomplete_details = said.incomplete ? { reason: said.incomplete } : null
    const whole = { ...base, status, output, usage, incomplete_details, error: failed }
    if (!body.stream) {
      sendJson(response, 200, whole)
      return
    }
    const events: Record<string, unknown>[] = [
      { type: 'response.created', response: { ...base, status: 'in_progress', output: [] } },
      ...output.flatMap((item, index) => itemEvents(item, index)),
      { type: `response.${status}`, response: whole },
    ]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const [count, event] of events.entries()) {
      if ('cutAfter' in said && count >= Number(said.cutAfter)) {
        response.socket?.end()
        return
      }
      if ('hangAfter' in said && count >= Number(said.hangAfter)) return
      const data = JSON.stringify({ ...event, sequence_number: count })
      response.write(`event: ${String(event.type)}\ndata: ${data}\n\n`)
    }
    response.end()
  }

  #item(block: ResponseBlock): Record<string, unknown> {
    switch (block.type) {
      case 'text':
      case 'refusal': {
        const part =
          block.type === 'text'
            ? { type: 'output_text', text: block.text, annotations: [] }
            : { type: 'refusal', refusal: block.refusal }
        return { type: 'message', id: this.#id('msg'), role: 'assistant', status: 'completed', content: [part] }
      }
      case 'reasoning': {
        const id = this.#id('rs')
        const encrypted_content = `sealed:${id}`
        this.#issued.set(id, encrypted_content)
        return { type: 'reasoning', id, summary: [{ type: 'summary_text', text: block.summary }], encrypted_content }
      }
      case 'computer':
        return {
          type: 'computer_call',
          id: this.#id('cu'),
          call_id: this.#id('call'),
          status: 'completed',
          pending_safety_checks: block.checks ?? [],
          actions: block.actions,
        }
      case 'function':
        return {
          type: 'function_call',
          id: this.#id('fc'),
          call_id: this.#id('call'),
          name: block.name,
          arguments: typeof block.arguments === 'string' ? block.arguments : JSON.stringify(block.arguments),
          status: 'completed',
        }
    }
  }

  #id(prefix: string): string {
    this.#ids++
    return `${prefix}_${String(this.#ids).padStart(8, '0')}`
  }
}

/** In the order of the service: the item appears, its parts fill, it is done. */
function itemEvents(item: Record<string, unknown>, output_index: number): Record<string, unknown>[] {
  const at = { output_index, item_id: item.id }
  const empty = { ...item, ...(item.content ? { content: [] } : {}), ...(item.summary ? { summary: [] } : {}) }
  return [
    { type: 'response.output_item.added', output_index, item: { ...empty, status: 'in_progress' } },
    ...partsOf(item.content).flatMap((part, content_index) => {
      if (part.type !== 'output_text') return []
      const where = { ...at, content_index }
      return [
        { type: 'response.content_part.added', ...where, part: { ...part, text: '' } },
        ...pieces(part.text).map((delta) => ({ type: 'response.output_text.delta', ...where, delta })),
        { type: 'response.output_text.done', ...where, text: part.text },
        { type: 'response.content_part.done', ...where, part },
      ]
    }),
    ...partsOf(item.summary).flatMap((part, summary_index) => {
      const where = { ...at, summary_index }
      return [
        { type: 'response.reasoning_summary_part.added', ...where, part: { ...part, text: '' } },
        ...pieces(part.text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...where, delta })),
        { type: 'response.reasoning_summary_text.done', ...where, text: part.text },
        { type: 'response.reasoning_summary_part.done', ...where, part },
      ]
    }),
    { type: 'response.output_item.done', output_index, item },
  ]
}

function partsOf(list: unknown): { type: string; text: string }[] {
  return Array.isArray(list) ? list : []
}

function pieces(text: string): string[] {
  const length = Math.max(12, Math.ceil(text.length / 100))
  return Array.from({ length: Math.ceil(text.length / length) }, (_, n) => text.slice(n * length, (n + 1) * length))
}
