import type yauzl from 'yauzl'
import { Refusal } from './refusal.ts'
import { SEAL_BYTES } from './seal.ts'

const endRecord = 22
const zip64Records = 56 + 20
const descriptorFlag = 0x8

/**
 * A zip says everything twice, and readers differ in whom they believe. So both must agree, files stand one behind the
 * other from the first byte on, and behind the last one comes the directory and nothing else: there is no room in which
 * something could hide from one reader and be seen by another.
 */
export async function checkLayout(zip: yauzl.ZipFile, entries: yauzl.Entry[]): Promise<void> {
  let at = 0
  let directory = 0
  for (const entry of entries) {
    const name = entry.fileName
    if (entry.relativeOffsetOfLocalHeader !== at) throw new Refusal('layout', name, 'There is a gap or an overlap.')
    const local = await zip.readLocalFileHeaderPromise(entry).catch((cause: Error) => {
      throw new Refusal('layout', name, `${cause.message}.`, cause)
    })
    if (!local.fileName.equals(entry.fileNameRaw)) throw new Refusal('layout', name, 'It has two different names.')
    const streamed = (entry.generalPurposeBitFlag & descriptorFlag) !== 0
    if (
      local.generalPurposeBitFlag !== entry.generalPurposeBitFlag ||
      local.compressionMethod !== entry.compressionMethod ||
      (!streamed &&
        (local.compressedSize !== entry.compressedSize ||
          local.uncompressedSize !== entry.uncompressedSize ||
          local.crc32 !== entry.crc32))
    )
      throw new Refusal('layout', name, 'Its two descriptions differ.')
    const large = entry.extraFields.some(({ id }) => id === 1)
    at = local.fileDataStart + entry.compressedSize + (streamed ? (large ? 24 : 16) : 0)
    directory += 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
  }
  const ends = [endRecord, endRecord + zip64Records].map((end) => at + directory + end + zip.comment.length)
  if (!ends.includes(zip.fileSize))
    throw new Refusal('layout', 'the end of the file', 'There are bytes that belong to no file.')
  if (zip.comment.length !== SEAL_BYTES) throw new Refusal('seal', 'the end of the file', 'It has no seal.')
}
