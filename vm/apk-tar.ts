import { GodHandError } from '../main/contract/errors.ts'

export type TarEntry = {
  path: string
  kind: 'file' | 'folder' | 'symlink' | 'hardlink' | 'other'
  mode: number
  target: string // of a link
  content: Buffer
}

const BLOCK = 512

/** The entries of a tar archive in memory: ustar, with the pax and GNU ways to say a long name. */
export function* tarEntries(archive: Buffer): Generator<TarEntry> {
  let extended = new Map<string, string>()
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK)
    if (header.every((byte) => byte === 0)) {
      at += BLOCK // apk leaves the end marks out between its parts, and tar writes several
      continue
    }
    if (octal(header, 148, 8) !== checksum(header)) throw damaged('a header has the wrong checksum')
    const size = octal(header, 124, 12)
    const content = archive.subarray(at + BLOCK, at + BLOCK + size)
    if (content.length !== size) throw damaged('it is cut short')
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === 'x') extended = paxRecords(content)
    else if (type === 'L') extended.set('path', zeroEnded(content))
    else if (type === 'K') extended.set('linkpath', zeroEnded(content))
    else if (type !== 'g') {
      const prefix = zeroEnded(header.subarray(345, 500))
      const name = zeroEnded(header.subarray(0, 100))
      yield {
        path: extended.get('path') ?? (prefix ? `${prefix}/${name}` : name),
        kind: KINDS[type] ?? 'other',
        mode: octal(header, 100, 8) & 0o7777,
        target: extended.get('linkpath') ?? zeroEnded(header.subarray(157, 257)),
        content,
      }
      extended = new Map()
    }
  }
}

const KINDS: Record<string, TarEntry['kind']> = {
  '0': 'file',
  '\0': 'file',
  '1': 'hardlink',
  '2': 'symlink',
  '5': 'folder',
}

function zeroEnded(field: Buffer): string {
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? field.length : end)
}

function octal(header: Buffer, from: number, length: number): number {
  const text = zeroEnded(header.subarray(from, from + length)).trim()
  if (!/^[0-7]*$/.test(text)) throw damaged('a header holds no number where one must be')
  return text === '' ? 0 : Number.parseInt(text, 8)
}

function checksum(header: Buffer): number {
  return header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0)
}

/** "<length> <key>=<value>\n", one after the other; the length counts all of it. */
function paxRecords(content: Buffer): Map<string, string> {
  const records = new Map<string, string>()
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at)
    const length = Number(content.toString('latin1', at, space < 0 ? at : space))
    if (!Number.isInteger(length) || length <= 0 || at + length > content.length)
      throw damaged('an extended header is broken')
    const record = content.toString('utf8', space + 1, at + length - 1)
    const equals = record.indexOf('=')
    if (equals > 0) records.set(record.slice(0, equals), record.slice(equals + 1))
    at += length
  }
  return records
}

function damaged(what: string): GodHandError {
  return new GodHandError('corrupt', `An archive in an Alpine package is damaged: ${what}.`)
}
