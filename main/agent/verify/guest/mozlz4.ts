import { GodHandError } from '../../../contract/errors.ts'

const magic = Buffer.from('mozLz40\0')
const largest = 64 * 1024 * 1024

/** Mozilla's file format: a magic word, the size of the content, one LZ4 block. */
export function decompressMozLz4(file: Buffer): Buffer {
  if (!file.subarray(0, 8).equals(magic) || file.length < 12) throw broken()
  const size = file.readUInt32LE(8)
  if (size > largest) throw broken()
  const out = Buffer.alloc(size)
  let from = 12
  let to = 0
  const length = (nibble: number) => {
    let sum = nibble
    if (nibble === 15)
      for (let more = 255; more === 255; ) {
        more = file[from++] ?? 0
        sum += more
      }
    return sum
  }
  while (from < file.length) {
    const token = file[from++] ?? 0
    const literals = length(token >> 4)
    if (to + literals > size || from + literals > file.length) throw broken()
    file.copy(out, to, from, from + literals)
    from += literals
    to += literals
    if (from >= file.length) break
    const offset = file.readUInt16LE(from)
    from += 2
    const copies = length(token & 15) + 4
    if (offset === 0 || offset > to || to + copies > size) throw broken()
    // Source and target may overlap: that is how the format repeats itself.
    for (let n = 0; n < copies; n++, to++) out[to] = out[to - offset] ?? 0
  }
  if (to !== size) throw broken()
  return out
}

function broken(): GodHandError {
  return new GodHandError('corrupt', 'The browser’s session file is not complete.')
}
