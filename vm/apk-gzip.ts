import { inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { GodHandError } from '../main/contract/errors.ts'

/** One gzip stream of a file made of several: its own bytes, which are what is signed and hashed, and what it holds. */
export type GzipStream = { raw: Buffer; content: Buffer }

const FLAGS = { crc: 2, extra: 4, name: 8, comment: 16 }
const Inflated = z.object({ buffer: z.instanceof(Buffer), engine: z.object({ bytesWritten: z.number() }) })

/** The first stream of `file` and where the next one begins. zlib itself would run on into the next as if it were one. */
export function firstGzipStream(file: Buffer, limitBytes: number): GzipStream {
  const start = headerLength(file)
  let inflated: z.infer<typeof Inflated>
  try {
    inflated = Inflated.parse(inflateRawSync(file.subarray(start), { info: true, maxOutputLength: limitBytes }))
  } catch (cause) {
    throw damaged(cause)
  }
  const end = start + inflated.engine.bytesWritten + 8 // a checksum and a length follow
  if (end > file.length) throw damaged()
  return { raw: file.subarray(0, end), content: inflated.buffer }
}

function headerLength(file: Buffer): number {
  if (file.length < 18 || file[0] !== 0x1f || file[1] !== 0x8b || file[2] !== 8) throw damaged()
  const flags = file[3] ?? 0
  let at = 10
  if (flags & FLAGS.extra) at += 2 + file.readUInt16LE(at)
  for (const text of [FLAGS.name, FLAGS.comment])
    if (flags & text) {
      const end = file.indexOf(0, at)
      if (end < 0) throw damaged()
      at = end + 1
    }
  if (flags & FLAGS.crc) at += 2
  if (at >= file.length) throw damaged()
  return at
}

function damaged(cause?: unknown): GodHandError {
  return new GodHandError('corrupt', 'An Alpine package or index is not in the format it should be in.', { cause })
}
