const block = 512

/** The regular files of a tar archive (ustar, with GNU's long names). Stops at the first thing that is not tar. */
export function* untar(archive: Buffer): Generator<{ path: string; content: Buffer }> {
  let at = 0
  let longName: string | null = null
  while (at + block <= archive.length) {
    const header = archive.subarray(at, at + block)
    if (header[0] === 0) return
    const size = Number.parseInt(text(header, 124, 12), 8)
    if (!Number.isFinite(size) || size < 0) return
    const content = archive.subarray(at + block, at + block + size)
    const type = String.fromCharCode(header[156] ?? 0)
    const prefix = text(header, 345, 155)
    const name = text(header, 0, 100)
    at += block + Math.ceil(size / block) * block
    if (type === 'L') {
      longName = text(content, 0, content.length)
      continue
    }
    if (type === '0' || type === '\0')
      yield { path: longName ?? (prefix && text(header, 257, 6) === 'ustar' ? `${prefix}/${name}` : name), content }
    longName = null
  }
}

function text(buffer: Buffer, from: number, length: number): string {
  const end = buffer.indexOf(0, from)
  return buffer.toString('utf8', from, end < 0 || end > from + length ? from + length : end).trimEnd()
}
