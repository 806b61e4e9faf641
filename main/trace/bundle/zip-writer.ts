import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import { blankSeal, Sealer } from './seal.ts'

export type ZipWriter = {
  /** Stored as it is, or deflated. Returns when there is room for the next. */
  add(name: string, content: Buffer, options?: { compress?: boolean }): Promise<void>
  /** For what does not fit into memory. Returns when it has been written. */
  addText(name: string, chunks: AsyncIterable<string>): Promise<void>
  /** A file of the disk, deflated quickly. */
  addFile(name: string, open: () => AsyncIterable<Buffer>): Promise<void>
  /** Name, size and hash of everything added so far, in order. */
  readonly written: WrittenEntry[]
}
export type WrittenEntry = { name: string; bytes: number; sha256: string }

/** Fixed, so that the same trace makes the same bytes whenever and wherever it is exported. */
const mtime = new Date(1980, 0, 1)
const mode = 0o100644

/** Streams a zip into `to`, sealed when asked. One entry is in memory at a time, whatever the size of the whole. */
export async function writeZip(
  to: Writable,
  fill: (zip: ZipWriter) => Promise<void>,
  { seal = false, signal }: { seal?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<{ digest: string; bytes: number }> {
  const zip = new yazl.ZipFile()
  const out = zip.outputStream
  const sealer = new Sealer()
  const written: WrittenEntry[] = []
  const addStream = async (
    name: string,
    chunks: () => AsyncIterable<Buffer>,
    compress: boolean,
    compressionLevel = 6,
  ) => {
    signal?.throwIfAborted()
    const hash = createHash('sha256')
    let bytes = 0
    const counted = async function* () {
      for await (const chunk of chunks()) {
        signal?.throwIfAborted()
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    }
    const source = Readable.from(counted(), { objectMode: false, highWaterMark: 1 << 16 })
    const read = once(source, 'end')
    const packing = compress ? { compress, compressionLevel } : { compress }
    zip.addReadStreamLazy(name, { mtime, mode, ...packing, forceDosTimestamp: true }, givenOnce(source))
    await read
    written.push({ name, bytes, sha256: hash.digest('hex') })
  }

  const writer: ZipWriter = {
    written,
    add: (name, content, { compress = false } = {}) => {
      const chunks = async function* () {
        yield content
      }
      return addStream(name, chunks, compress)
    },
    addFile: (name, open) => addStream(name, open, true, 1),
    addText: (name, chunks) => {
      const encoded = async function* () {
        for await (const chunk of chunks) yield Buffer.from(chunk)
      }
      return addStream(name, encoded, true)
    },
  }

  // Whoever fails first stops the others: a failed fill closes the stream, a full disk ends the fill.
  const stop = new AbortController()
  const ended = { signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal }
  const stream = seal ? pipeline(out, sealer, to, ended) : pipeline(out, to, ended)
  const filled = async () => {
    await fill(writer)
    zip.end({ forceZip64Format: false, comment: seal ? blankSeal.toString('latin1') : '' })
  }
  const failed = new Promise<never>((_, reject) => zip.on('error', reject))
  try {
    await Promise.race([Promise.all([filled(), stream]), failed])
  } catch (thrown) {
    stop.abort(thrown)
    await stream.catch(() => {})
    throw thrown
  }
  return { digest: sealer.digest, bytes: sealer.bytes }
}

/** yazl keeps what it was given until the end, so it is given a function that forgets. */
function givenOnce(source: Readable): (give: (error: null, stream: Readable) => void) => void {
  let held: Readable | null = source
  return (give) => {
    if (held) give(null, held)
    held = null
  }
}
