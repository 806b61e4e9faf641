import { createHash } from 'node:crypto'
import fs from 'node:fs'
import zlib from 'node:zlib'

/** A zip written by hand, with whatever is wrong in it that a test wants, and a seal that is right. */
export type RawEntry = {
  name: string
  content: Buffer
  deflate?: boolean
  mode?: number
  localName?: string
  announcedBytes?: number
  gapBefore?: Buffer
}

export function rawZip(entries: RawEntry[], { sealed = true, tail = Buffer.alloc(0) } = {}): Buffer {
  const body: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  const write = (part: Buffer) => {
    body.push(part)
    at += part.length
  }
  for (const entry of entries) {
    if (entry.gapBefore) write(entry.gapBefore)
    const packed = entry.deflate ? zlib.deflateRawSync(entry.content) : entry.content
    const offset = at
    const shared = Buffer.alloc(22)
    shared.writeUInt16LE(0x800, 0)
    shared.writeUInt16LE(entry.deflate ? 8 : 0, 2)
    shared.writeUInt16LE(33, 6)
    shared.writeUInt32LE(zlib.crc32(entry.content), 8)
    shared.writeUInt32LE(packed.length, 12)
    shared.writeUInt32LE(entry.announcedBytes ?? entry.content.length, 16)
    const localName = Buffer.from(entry.localName ?? entry.name)
    write(header('504b03041400', shared, localName.length))
    write(localName)
    write(packed)
    const name = Buffer.from(entry.name)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    directory.push(header('504b01023f031400', shared, name.length), rest, name)
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('504b0506', 'hex')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(sealed ? 79 : 0, 20)
  const all = Buffer.concat([...body, list, end])
  const seal = sealed ? `ghtrace sha256 ${createHash('sha256').update(all).digest('hex')}` : ''
  return Buffer.concat([all, Buffer.from(seal), tail])
}

function header(start: string, shared: Buffer, nameLength: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt16LE(nameLength)
  return Buffer.concat([Buffer.from(start, 'hex'), shared.subarray(0, 20), length])
}

/** Everything below a folder, with its content: to see that nothing was left behind. */
export function everything(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/godhand\.db/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort()
}
