import type { Readable } from 'node:stream'
import yauzl from 'yauzl'
import { FRAME_NAME, limits, MACHINE_FILE, names } from './format.ts'
import { checkLayout } from './layout.ts'
import { Refusal } from './refusal.ts'

/** A bundle whose outside is in order: known names, each once, plain files, sane sizes, nothing in between. */
export type BundleReader = {
  readonly bytes: number
  /** In the order of the file. */
  readonly names: string[]
  /** Hashes of the frames, in order. */
  readonly frames: string[]
  /** Ids of the snapshots whose files it holds, and how much those are when unpacked. */
  readonly machines: string[]
  readonly machineBytes: number
  read(name: string): Promise<Buffer>
  stream(name: string): Promise<Readable>
  close(): void
}

const largest: Record<string, number> = {
  [names.steps]: limits.stepsBytes,
  [names.lineage]: limits.lineageBytes,
  [names.manifest]: limits.manifestBytes,
  [names.sums]: limits.sumsBytes,
}
const regularFile = 0o100644

/** Throws a Refusal, having read headers only. */
export async function openBundle(file: string): Promise<BundleReader> {
  const zip = await yauzl
    .openPromise(file, { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true })
    .catch((cause: Error) => {
      if ('code' in cause) throw cause // the disk's own errors: no such file, not readable
      throw new Refusal('layout', file, `It is not a whole zip file: ${cause.message}.`, cause)
    })
  try {
    if (zip.entryCount > limits.entries) throw new Refusal('limit', file, `It holds ${zip.entryCount} files.`)
    const entries = new Map<string, yauzl.Entry>()
    for await (const entry of entriesOf(zip)) {
      checkEntry(entry)
      if (entries.has(entry.fileName)) throw new Refusal('name', entry.fileName, 'It is there twice.')
      entries.set(entry.fileName, entry)
    }
    for (const name of Object.keys(largest))
      if (!entries.has(name)) throw new Refusal('missing', name, `There is no ${name} in it.`)
    await checkLayout(zip, [...entries.values()])
    return readerOf(zip, entries)
  } catch (thrown) {
    zip.close()
    throw thrown
  }
}

async function* entriesOf(zip: yauzl.ZipFile): AsyncGenerator<yauzl.Entry> {
  try {
    yield* zip.eachEntry()
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    const kind = /path|fileName/.test(message) ? 'name' : 'layout'
    throw new Refusal(kind, 'the list of files', `${message}.`, cause)
  }
}

function checkEntry(entry: yauzl.Entry): void {
  const { fileName: name, uncompressedSize: size, compressedSize } = entry
  const isMachine = MACHINE_FILE.test(name)
  const limit = FRAME_NAME.test(name) ? limits.frameBytes : isMachine ? limits.machineFileBytes : largest[name]
  if (limit === undefined) throw new Refusal('name', name, 'A bundle has no file of this name.')
  const mode = entry.externalFileAttributes >>> 16
  if (mode !== regularFile) throw new Refusal('name', name, 'It is a link, a folder or a device, not a plain file.')
  if (entry.isEncrypted() || ![0, 8].includes(entry.compressionMethod))
    throw new Refusal('layout', name, 'It is packed in a way bundles are not.')
  if (size > limit) throw new Refusal('limit', name, `It would unpack to ${size} bytes; ${limit} are allowed.`)
  if (size > compressedSize * limits.growth + (isMachine ? limits.machineGrowthAllowance : limits.growthAllowance))
    throw new Refusal('limit', name, `It would unpack from ${compressedSize} to ${size} bytes, like a zip bomb.`)
  if (FRAME_NAME.test(name) && entry.compressionMethod !== 0)
    throw new Refusal('layout', name, 'Pictures are stored as they are, not packed again.')
}

function readerOf(zip: yauzl.ZipFile, entries: Map<string, yauzl.Entry>): BundleReader {
  const find = (name: string): yauzl.Entry => {
    const entry = entries.get(name)
    if (!entry) throw new Refusal('missing', name, `There is no ${name} in it.`)
    return entry
  }
  const stream = async (name: string) => {
    try {
      return await zip.openReadStreamPromise(find(name))
    } catch (cause) {
      if (cause instanceof Refusal) throw cause
      throw new Refusal('layout', name, 'It cannot be unpacked.', cause)
    }
  }
  return {
    bytes: zip.fileSize,
    names: [...entries.keys()],
    frames: [...entries.keys()].flatMap((name) => FRAME_NAME.exec(name)?.[1] ?? []),
    machines: [...new Set([...entries.keys()].flatMap((name) => MACHINE_FILE.exec(name)?.[1] ?? []))],
    machineBytes: [...entries.values()]
      .filter(({ fileName }) => MACHINE_FILE.test(fileName))
      .reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0),
    stream,
    async read(name) {
      // yauzl ends the stream with an error as soon as it is longer than was announced, and that was checked.
      const chunks: Buffer[] = []
      try {
        for await (const chunk of await stream(name)) chunks.push(chunk)
      } catch (cause) {
        if (cause instanceof Refusal) throw cause
        throw new Refusal('layout', name, 'It cannot be unpacked.', cause)
      }
      return Buffer.concat(chunks)
    },
    close: () => zip.close(),
  }
}
