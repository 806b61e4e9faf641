import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import { Transform } from 'node:stream'

/**
 * The zip's comment, its very last bytes, is "ghtrace sha256 " and the hash of every byte before the comment: headers,
 * directory and all. So no byte of the file can change unnoticed, and unzip still opens it. This finds accidents and
 * careless hands; who rewrites the file can seal it anew, so compare the hash with one you got from the author.
 */
const label = 'ghtrace sha256 '
export const SEAL_BYTES = label.length + 64

/** What the zip writer is given as the comment, for the sealer to fill in. */
export const blankSeal = Buffer.from(label + '0'.repeat(64), 'latin1')

/** Passes everything on and replaces the last bytes by the seal. `digest` is there once it has ended. */
export class Sealer extends Transform {
  digest = ''
  bytes = 0
  readonly #hash = createHash('sha256')
  #held = Buffer.alloc(0)

  override _transform(chunk: Buffer, _encoding: string, done: () => void): void {
    const all = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const cut = Math.max(0, all.length - SEAL_BYTES)
    this.#pass(all.subarray(0, cut))
    this.#held = Buffer.from(all.subarray(cut))
    done()
  }

  override _flush(done: () => void): void {
    this.digest = this.#hash.digest('hex')
    this.bytes += SEAL_BYTES
    this.push(Buffer.from(label + this.digest, 'latin1'))
    done()
  }

  #pass(part: Buffer): void {
    if (part.length === 0) return
    this.#hash.update(part)
    this.bytes += part.length
    this.push(part)
  }
}

export type SealCheck = { sealed: boolean; intact: boolean; found: string; expected: string }

/** Reads the whole file once. */
export async function checkSeal(file: string, signal?: AbortSignal): Promise<SealCheck> {
  const { size } = await fs.stat(file)
  if (size <= SEAL_BYTES) return { sealed: false, intact: false, found: '', expected: '' }
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { end: size - SEAL_BYTES - 1, highWaterMark: 1 << 20, signal }))
    hash.update(chunk)
  const comment = await lastBytes(file, size)
  const expected = hash.digest('hex')
  const found = comment.slice(label.length)
  return { sealed: comment.startsWith(label), intact: comment === label + expected, found, expected }
}

async function lastBytes(file: string, size: number): Promise<string> {
  const handle = await fs.open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SEAL_BYTES), 0, SEAL_BYTES, size - SEAL_BYTES)
    return buffer.subarray(0, bytesRead).toString('latin1')
  } finally {
    await handle.close()
  }
}
