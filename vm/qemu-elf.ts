import { type FileHandle, open } from 'node:fs/promises'
import { GodHandError } from '../main/contract/errors.ts'

const PT_LOAD = 1
const PT_DYNAMIC = 2
const DT_NEEDED = 1n
const DT_STRTAB = 5n
const DT_STRSZ = 10n

type Segment = { type: number; offset: number; address: number; size: number }

/** The shared libraries that a 64-bit little-endian ELF file names as needed, in its own order. */
export async function neededLibraries(file: string): Promise<string[]> {
  const handle = await open(file)
  try {
    const header = await readRange(handle, 0, 64)
    if (header.toString('latin1', 0, 4) !== '\x7fELF' || header[4] !== 2 || header[5] !== 1)
      throw new GodHandError('corrupt', `${file} is not a 64-bit little-endian ELF file.`)
    const segments = await readSegments(handle, header)
    const dynamic = segments.find((segment) => segment.type === PT_DYNAMIC)
    if (dynamic === undefined) return []

    const entries = dynamicEntries(await readRange(handle, dynamic.offset, dynamic.size))
    const one = (tag: bigint) => entries.find((entry) => entry.tag === tag)?.value ?? 0
    const names = await readRange(handle, fileOffset(segments, one(DT_STRTAB), file), one(DT_STRSZ))
    return entries
      .filter((entry) => entry.tag === DT_NEEDED)
      .map(({ value }) => names.toString('latin1', value, names.indexOf(0, value)))
  } finally {
    await handle.close()
  }
}

/**
 * Every library that these files need, and that those need in turn, as name → file.
 * `find` says where a library of that name is.
 */
export async function libraryClosure(
  roots: string[],
  find: (name: string) => Promise<string | undefined>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const pending = [...roots]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    for (const name of await neededLibraries(file)) {
      if (found.has(name)) continue
      const library = await find(name)
      if (library === undefined)
        throw new GodHandError('missing_prerequisite', `The library ${name}, which ${file} needs, is in no package.`)
      found.set(name, library)
      pending.push(library)
    }
  }
  return found
}

async function readSegments(handle: FileHandle, header: Buffer): Promise<Segment[]> {
  const entrySize = header.readUInt16LE(54)
  const table = await readRange(handle, Number(header.readBigUInt64LE(32)), entrySize * header.readUInt16LE(56))
  const segments: Segment[] = []
  for (let at = 0; at < table.length; at += entrySize)
    segments.push({
      type: table.readUInt32LE(at),
      offset: Number(table.readBigUInt64LE(at + 8)),
      address: Number(table.readBigUInt64LE(at + 16)),
      size: Number(table.readBigUInt64LE(at + 32)),
    })
  return segments
}

function dynamicEntries(table: Buffer): { tag: bigint; value: number }[] {
  const entries: { tag: bigint; value: number }[] = []
  for (let at = 0; at + 16 <= table.length; at += 16) {
    const tag = table.readBigInt64LE(at)
    if (tag === 0n) break
    entries.push({ tag, value: Number(table.readBigUInt64LE(at + 8)) })
  }
  return entries
}

/** The dynamic table speaks of addresses in memory; the loadable segments say where those are in the file. */
function fileOffset(segments: Segment[], address: number, file: string): number {
  const within = segments.find(
    (segment) => segment.type === PT_LOAD && address >= segment.address && address < segment.address + segment.size,
  )
  if (within === undefined) throw new GodHandError('corrupt', `${file} has a dynamic table that points outside of it.`)
  return within.offset + (address - within.address)
}

async function readRange(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw new GodHandError('corrupt', 'An ELF file ends before its tables do.')
  return buffer
}
