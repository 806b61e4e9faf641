import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Engine } from '../engine.ts'

/** GET /support.zip: made when it is asked for, and nowhere afterwards. */
export async function sendSupportBundle(
  engine: Engine,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'godhand-support-'))
  try {
    const { file, bytes } = await engine.call('support.bundle', { file: path.join(folder, 'support.zip') })
    response.writeHead(200, {
      'Content-Type': 'application/zip',
      'Content-Length': bytes,
      'Content-Disposition': `attachment; filename="godhand-support-${new Date().toISOString().slice(0, 10)}.zip"`,
    })
    if (request.method === 'HEAD') response.end()
    else await pipeline(createReadStream(file), response)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
