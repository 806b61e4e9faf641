import fs, { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Step } from '../../contract/task.ts'

/**
 * Steps arrive as a stream, but a transaction of SQLite must not wait for one. So they are laid down in a file first and
 * read back without waiting, one at a time.
 */
export async function spoolSteps(steps: AsyncIterable<Step>, file: string): Promise<void> {
  const lines = async function* () {
    for await (const step of steps) yield `${JSON.stringify(step)}\n`
  }
  await pipeline(Readable.from(lines()), createWriteStream(file))
}

export function* readSpool(file: string): Generator<Step> {
  const descriptor = fs.openSync(file, 'r')
  try {
    const chunk = Buffer.alloc(1 << 20)
    let held = Buffer.alloc(0)
    for (let read = fs.readSync(descriptor, chunk); read > 0; read = fs.readSync(descriptor, chunk)) {
      held = Buffer.concat([held, chunk.subarray(0, read)])
      let from = 0
      for (let end = held.indexOf(10); end >= 0; end = held.indexOf(10, from)) {
        yield Step.parse(JSON.parse(held.toString('utf8', from, end)))
        from = end + 1
      }
      held = held.subarray(from)
    }
  } finally {
    fs.closeSync(descriptor)
  }
}
