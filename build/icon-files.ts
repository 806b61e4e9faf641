export type Picture = { size: number; png: Buffer }

/** Windows: a directory of pictures, then the pictures. A side of 256 is written as 0. */
export function toIco(pictures: readonly Picture[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [index, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * index
    head.writeUInt8(size % 256, at)
    head.writeUInt8(size % 256, at + 1)
    head.writeUInt16LE(1, at + 4) // planes
    head.writeUInt16LE(32, at + 6) // bits a pixel
    head.writeUInt32LE(png.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)])
}

const ICNS: Record<number, string> = { 128: 'ic07', 256: 'ic08', 512: 'ic09', 1024: 'ic10' }

/** macOS: named blocks, each with its length. */
export function toIcns(pictures: readonly Picture[]): Buffer {
  const blocks = pictures.map(({ size, png }) => {
    const name = ICNS[size]
    if (!name) throw new Error(`an icns file has no place for ${size} pixels`)
    return block(name, png)
  })
  return block('icns', Buffer.concat(blocks))
}

function block(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 0, 'latin1')
  head.writeUInt32BE(content.length + 8, 4)
  return Buffer.concat([head, content])
}
