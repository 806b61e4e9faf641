import type { Readable } from 'node:stream'
import { Refusal } from './refusal.ts'

/** The lines of a stream, without their ends, as strict UTF-8. No more than one is ever in memory. */
export async function* linesOf(stream: Readable, where: string, longest: number): AsyncGenerator<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let held: Buffer[] = []
  let heldBytes = 0
  const take = (last: Buffer): string => {
    const line = held.length === 0 ? last : Buffer.concat([...held, last])
    held = []
    heldBytes = 0
    try {
      return utf8.decode(line)
    } catch (cause) {
      throw new Refusal('json', where, 'It is not UTF-8 text.', cause)
    }
  }
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('the stream must give bytes')
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield take(chunk.subarray(from, end))
      from = end + 1
    }
    held.push(chunk.subarray(from))
    heldBytes += chunk.length - from
    if (heldBytes > longest) throw new Refusal('limit', where, `A line is longer than ${longest} bytes.`)
  }
  if (heldBytes > 0) throw new Refusal('json', where, 'The last line is cut off.')
}
