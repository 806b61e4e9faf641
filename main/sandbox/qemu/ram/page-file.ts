import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { GodHandError } from '../../../contract/errors.ts'

/**
 * Memory pages on disk.
 *
 * A delta holds the pages that differ from a full RAM file: a 24-byte header (magic, extent count, page size, RAM
 * size), then one pair of 32-bit numbers an extent (first page, page count with the top bit set where every page is
 * zero), then the bytes of the other extents in the same order.
 */
export const PAGE = 4096
const MAGIC = 'GHRAM001'
const HEADER_BYTES = 24
const ZERO_FLAG = 0x8000_0000
const zeroPage = Buffer.alloc(PAGE)

/** A run of pages; `data` is null where all of them are zero. */
export type Extent = { first: number; count: number; data: Buffer | null }

/** Splits a run of copied pages into zero and non-zero extents. */
export function* splitZeroes(first: number, data: Buffer): Generator<Extent> {
  const pages = data.length / PAGE
  const isZero = (page: number) => data.subarray(page * PAGE, (page + 1) * PAGE).equals(zeroPage)
  for (let start = 0; start < pages; ) {
    const zero = isZero(start)
    let end = start + 1
    while (end < pages && isZero(end) === zero) end++
    yield { first: first + start, count: end - start, data: zero ? null : data.subarray(start * PAGE, end * PAGE) }
    start = end
  }
}

export type WrittenFile = { bytes: number; sha256: string }

/** Writes a delta and makes sure it is on disk. */
export function writeDelta(file: string, ramBytes: number, extents: Extent[]): WrittenFile {
  const head = Buffer.alloc(HEADER_BYTES + extents.length * 8)
  head.write(MAGIC, 0, 'latin1')
  head.writeUInt32LE(extents.length, 8)
  head.writeUInt32LE(PAGE, 12)
  head.writeBigUInt64LE(BigInt(ramBytes), 16)
  extents.forEach((extent, index) => {
    head.writeUInt32LE(extent.first, HEADER_BYTES + index * 8)
    head.writeUInt32LE((extent.count | (extent.data ? 0 : ZERO_FLAG)) >>> 0, HEADER_BYTES + index * 8 + 4)
  })
  const hash = createHash('sha256')
  const fd = fs.openSync(file, 'wx', 0o600)
  try {
    let bytes = 0
    for (const part of [head, ...extents.flatMap((extent) => (extent.data ? [extent.data] : []))]) {
      hash.update(part)
      writeAll(fd, part, null)
      bytes += part.length
    }
    fs.fdatasyncSync(fd)
    return { bytes, sha256: hash.digest('hex') }
  } finally {
    fs.closeSync(fd)
  }
}

/** Writes a full RAM file, with holes where it is zero, and beside it an index of what is not a hole. */
export function writeFull(file: string, ramBytes: number, extents: Extent[]): WrittenFile {
  const hash = createHash('sha256')
  const filled = extents.filter((extent) => extent.data !== null)
  const fd = fs.openSync(file, 'wx', 0o600)
  try {
    fs.ftruncateSync(fd, ramBytes)
    let bytes = 0
    for (const { first, data } of filled) {
      if (!data) continue
      hash.update(data)
      writeAll(fd, data, first * PAGE)
      bytes += data.length
    }
    fs.fdatasyncSync(fd)
    const index = new Uint32Array(filled.flatMap(({ first, count }) => [first, count]))
    fs.writeFileSync(`${file}${INDEX_SUFFIX}`, index, { mode: 0o600, flush: true })
    return { bytes, sha256: hash.digest('hex') }
  } finally {
    fs.closeSync(fd)
  }
}

export const INDEX_SUFFIX = '.index'

/** The hash `writeFull` gave, found again without reading the holes. */
export function hashFull(file: string): string {
  const index = fs.readFileSync(`${file}${INDEX_SUFFIX}`)
  const hash = createHash('sha256')
  const fd = fs.openSync(file, 'r')
  try {
    for (let at = 0; at + 8 <= index.length; at += 8) {
      const data = Buffer.allocUnsafe(index.readUInt32LE(at + 4) * PAGE)
      const read = fs.readSync(fd, data, 0, data.length, index.readUInt32LE(at) * PAGE)
      hash.update(data.subarray(0, read))
    }
    return hash.digest('hex')
  } finally {
    fs.closeSync(fd)
  }
}

export function hashFile(file: string): string {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(4 * 1024 * 1024)
  const fd = fs.openSync(file, 'r')
  try {
    for (let read = -1; read !== 0; ) {
      read = fs.readSync(fd, chunk, 0, chunk.length, null)
      hash.update(chunk.subarray(0, read))
    }
    return hash.digest('hex')
  } finally {
    fs.closeSync(fd)
  }
}

/** Reads a delta, extent by extent, without holding it all in memory (a compressed one is held). */
export function readDelta(file: string, ramBytes: number, visit: (extent: Extent) => void): void {
  const damaged = (what: string) => new GodHandError('corrupt', `The saved memory in ${file} is damaged: ${what}.`)
  const source = file.endsWith(COMPRESSED_SUFFIX)
    ? fromBuffer(zstdDecompressSync(fs.readFileSync(file)))
    : fromFile(file)
  const read = (length: number, position: number) => {
    const data = source.read(length, position)
    if (data.length < length) throw damaged('it is cut short')
    return data
  }
  try {
    const head = read(HEADER_BYTES, 0)
    if (head.toString('latin1', 0, 8) !== MAGIC) throw damaged('it does not begin as it should')
    if (head.readUInt32LE(12) !== PAGE || head.readBigUInt64LE(16) !== BigInt(ramBytes))
      throw damaged('it is of a machine of another size')
    const count = head.readUInt32LE(8)
    const table = read(count * 8, HEADER_BYTES)
    let offset = HEADER_BYTES + count * 8
    for (let index = 0; index < count; index++) {
      const first = table.readUInt32LE(index * 8)
      const raw = table.readUInt32LE(index * 8 + 4)
      const pages = raw & ~ZERO_FLAG
      if ((first + pages) * PAGE > ramBytes) throw damaged('it names pages outside the memory')
      const data = raw & ZERO_FLAG ? null : read(pages * PAGE, offset)
      offset += data?.length ?? 0
      visit({ first, count: pages, data })
    }
  } finally {
    source.close()
  }
}

export const COMPRESSED_SUFFIX = '.zst'

/** Writes `file` again, smaller and under its compressed name. Fast rather than small: it may be wanted back soon. */
export function compressFile(file: string): WrittenFile {
  const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
  const data = zstdCompressSync(fs.readFileSync(file), options)
  fs.writeFileSync(`${file}${COMPRESSED_SUFFIX}`, data, { mode: 0o600, flush: true })
  return { bytes: data.length, sha256: createHash('sha256').update(data).digest('hex') }
}

type Source = { read(length: number, position: number): Buffer; close(): void }

function fromBuffer(content: Buffer): Source {
  return { read: (length, position) => content.subarray(position, position + length), close: () => {} }
}

function fromFile(file: string): Source {
  const fd = fs.openSync(file, 'r')
  return {
    read(length, position) {
      const buffer = Buffer.allocUnsafe(length)
      let done = 0
      for (let read = -1; read !== 0 && done < length; done += read)
        read = fs.readSync(fd, buffer, done, length - done, position + done)
      return buffer.subarray(0, done)
    },
    close: () => fs.closeSync(fd),
  }
}

export function writeAll(fd: number, data: Buffer, position: number | null): void {
  for (let done = 0; done < data.length; )
    done += fs.writeSync(fd, data, done, data.length - done, position === null ? null : position + done)
}
