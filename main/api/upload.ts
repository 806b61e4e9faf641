import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { GodHandError } from '../contract/errors.ts'
import type { Engine } from '../engine.ts'
import { sendJson } from './answers.ts'

/** More than any trace has ever been; what is larger was not made by GodHand. */
const MOST_BYTES = 4 * 1024 ** 3

/** A trace bundle that a person dropped on the page. The bundle's own checks decide what is taken in. */
export async function receiveTrace(engine: Engine, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'godhand-import-'))
  try {
    const file = path.join(folder, 'dropped.ghtrace')
    await pipeline(request, atMost(MOST_BYTES), createWriteStream(file))
    sendJson(response, 200, await engine.call('trace.import', { file, copy: false }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function atMost(most: number): Transform {
  let seen = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length
      if (seen > most) done(new GodHandError('bad_request', 'This file is too large to be a trace.'))
      else done(null, chunk)
    },
  })
}
