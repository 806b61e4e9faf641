import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, type Said, stopOf, streamEvents, usageOf, wireBlocks } from './anthropic/answers.ts'
import { modelList } from './anthropic/models.ts'
import { checkCacheMarks, checkImages, checkMessages, checkThinking, checkTools, modelOf } from './anthropic/rules.ts'
import { type MessagesBody, parseRequest } from './anthropic/schema.ts'
import { Signatures } from './anthropic/signatures.ts'
import { LoopbackServer, Refusal, readBody, sendJson } from './http-server.ts'

export type { Answer, AnswerBlock } from './anthropic/answers.ts'
export { computer, say, think, tool } from './anthropic/answers.ts'

export type Respond = (request: MessagesBody, count: number) => Answer | Promise<Answer>

const BODY_LIMIT = 32_000_000
const VERSIONS = ['2023-06-01', '2026-10-21']

/**
 * The Messages API on the loopback, for tests: refuses what the real service refuses, and answers what it is told to.
 * Scripted (`answers`, one after the other) or driven by a rule (`respond`).
 */
export class AnthropicServer {
  readonly requests: MessagesBody[] = []
  readonly refused: { status: number; message: string }[] = []
  readonly apiKey = 'sk-ant-test'
  readonly #respond: Respond
  readonly #signatures = new Signatures('the service only knows this')
  readonly #server = new LoopbackServer((request, response) => this.#handle(request, response))
  #ids = 0

  private constructor(respond: Respond) {
    this.#respond = respond
  }

  static async start(answers: Answer[] | Respond): Promise<AnthropicServer> {
    const scripted: Respond = (_request, count) =>
      (Array.isArray(answers) ? answers[count] : undefined) ?? {
        status: 500,
        type: 'api_error',
        message: `The script has no answer number ${count}.`,
        headers: { 'x-should-retry': 'false' },
      }
    const server = new AnthropicServer(Array.isArray(answers) ? scripted : answers)
    await server.#server.listen()
    return server
  }

  get url(): string {
    return this.#server.url
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = this.#id('req')
    try {
      if (request.method === 'GET' && /^\/v1\/models(\?|$)/.test(request.url ?? '')) {
        this.#authenticate(request)
        return sendJson(response, 200, modelList())
      }
      const body = await this.#accept(request)
      this.requests.push(body)
      const answer = await this.#respond(body, this.requests.length - 1)
      if ('status' in answer) {
        const { status, type, message, headers } = answer
        sendJson(response, status, { type: 'error', error: { type, message }, request_id: requestId }, headers)
        return
      }
      await this.#speak(body, answer, response, requestId)
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      const { status, type, message } = thrown
      this.refused.push({ status, message })
      const headers = { 'request-id': requestId }
      sendJson(response, status, { type: 'error', error: { type, message }, request_id: requestId }, headers)
    }
  }

  async #accept(request: IncomingMessage): Promise<MessagesBody> {
    const text = await readBody(request, BODY_LIMIT)
    if (request.method !== 'POST' || !/^\/v1\/messages(\?beta=true)?$/.test(request.url ?? ''))
      throw new Refusal(404, 'not_found_error', 'Not found')
    this.#authenticate(request)
    if (text === null) throw new Refusal(413, 'request_too_large', 'Request exceeds the maximum size')
    const body = parseRequest(text)
    const model = modelOf(body)
    const betas = String(request.headers['anthropic-beta'] ?? '').split(',')
    checkTools(body, model, betas)
    checkThinking(body, model)
    checkCacheMarks(body)
    checkMessages(body)
    checkImages(body, model)
    this.#signatures.check(body, model.boundThinking)
    return body
  }

  #authenticate({ headers }: IncomingMessage): void {
    const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '')
    if (!key) throw new Refusal(401, 'authentication_error', 'x-api-key header is required')
    if (key !== this.apiKey) throw new Refusal(401, 'authentication_error', 'invalid x-api-key')
    if (!VERSIONS.includes(String(headers['anthropic-version'])))
      throw new Refusal(400, 'invalid_request_error', 'anthropic-version: header is required')
  }

  async #speak(body: MessagesBody, said: Said, response: ServerResponse, requestId: string): Promise<void> {
    const bound = modelOf(body).boundThinking
    const blocks = wireBlocks(
      said,
      () => this.#id('toolu'),
      (thinking) => this.#signatures.sign(thinking, body, bound),
    )
    const message = {
      id: this.#id('msg'),
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: blocks,
      stop_reason: stopOf(said),
      stop_sequence: null,
      usage: usageOf(said),
    }
    if (!body.stream) return sendJson(response, 200, message, { 'request-id': requestId })
    response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': requestId })
    const events = streamEvents(message, blocks, said)
    for (const [count, event] of events.entries()) {
      // Closed, not reset: what was said until then still arrives.
      if ('cutAfter' in said && count >= Number(said.cutAfter)) return void response.socket?.end()
      if ('hangAfter' in said && count >= Number(said.hangAfter)) return
      if ('errorAfter' in said && count >= Number(said.errorAfter)) {
        const error = 'error' in said ? said.error : null
        response.end(`event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`)
        return
      }
      const flushed = response.write(`event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`)
      if (!flushed) await new Promise((resolve) => response.once('drain', resolve))
    }
    response.end()
  }

  #id(prefix: string): string {
    this.#ids++
    return `${prefix}_${String(this.#ids).padStart(8, '0')}`
  }
}
