import { createReadStream } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Engine } from '../engine.ts'

/** A finished export, whole and of known size, so that the browser can show how far its download is. */
export async function sendExport(engine: Engine, id: string, request: IncomingMessage, response: ServerResponse) {
  const { name, mediaType, bytes, file } = engine.exported(id)
  response.writeHead(200, {
    'Content-Type': mediaType,
    'Content-Length': bytes,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
  })
  if (request.method === 'HEAD') return void response.end()
  await pipeline(createReadStream(file), response).catch(() => {}) // whoever stops a download needs no reason
}
