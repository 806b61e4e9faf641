import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** A loopback HTTP server for tests that speak a provider's language on the wire. */
export class LoopbackServer {
  readonly #server: Server
  #port = 0

  constructor(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
    this.#server = createServer((request, response) => {
      handle(request, response).catch((thrown) => {
        if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ error: { type: 'api_error', message: String(thrown) } }))
      })
    })
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    this.#port = typeof address === 'object' && address ? address.port : 0
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

/** The body, or null when it is longer than the service takes. */
export async function readBody(request: IncomingMessage, limit: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    const part = Buffer.from(chunk)
    length += part.length
    if (length <= limit) chunks.push(part)
  }
  return length > limit ? null : Buffer.concat(chunks).toString('utf8')
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** What the service would answer with instead of doing what was asked. */
export class Refusal extends Error {
  readonly status: number
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}
