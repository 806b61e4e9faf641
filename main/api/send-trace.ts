import type { IncomingMessage, ServerResponse } from 'node:http'
import { ExportFormat } from '../contract/trace.ts'
import type { Engine } from '../engine.ts'

/** GET /traces/<task>/<format>: made while it is sent. */
export async function sendTrace(
  engine: Engine,
  taskId: string,
  format: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { name, mediaType, writeTo } = engine.download(taskId, ExportFormat.parse(format))
  const stop = new AbortController()
  response.once('close', () => stop.abort()) // whoever cancels the download cancels the work
  response.writeHead(200, {
    'Content-Type': mediaType,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
  })
  if (request.method === 'HEAD') return void response.end()
  await writeTo(response, stop.signal)
}
