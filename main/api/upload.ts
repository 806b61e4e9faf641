import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { LARGEST_ATTACHED } from '../contract/attachment.ts'
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
    await pipeline(request, atMost(MOST_BYTES, 'This file is too large to be a trace.'), createWriteStream(file))
    sendJson(response, 200, await engine.call('trace.import', { file, copy: false }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** POST /attachments?name=…: a file dropped on the composer. It lands in the guest of the task that names it. */
export async function receiveAttachment(
  engine: Engine,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'godhand-attach-'))
  try {
    const file = path.join(folder, 'dropped')
    await pipeline(request, atMost(LARGEST_ATTACHED, 'This file is too large to be attached.'), createWriteStream(file))
    sendJson(response, 200, await engine.call('file.attach', { file, name }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function atMost(most: number, tooMuch: string): Transform {
  let seen = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length
      if (seen > most) done(new GodHandError('bad_request', tooMuch))
      else done(null, chunk)
    },
  })
}
