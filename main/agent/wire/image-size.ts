/** What an image file says about itself in its first bytes, as the services look at it. */
export type ImageFacts = { mediaType: 'image/png' | 'image/jpeg'; width: number; height: number }

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

export function imageFacts(data: Buffer): ImageFacts | null {
  if (data.length > 24 && data.subarray(0, 8).equals(PNG) && data.subarray(12, 16).toString('latin1') === 'IHDR')
    return { mediaType: 'image/png', width: data.readUInt32BE(16), height: data.readUInt32BE(20) }
  return data.length > 4 && data[0] === 0xff && data[1] === 0xd8 ? jpegFacts(data) : null
}

/** The size is in the frame header, after however many other segments. */
function jpegFacts(data: Buffer): ImageFacts | null {
  for (let at = 2; at + 9 < data.length && data[at] === 0xff; ) {
    const marker = data[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { mediaType: 'image/jpeg', height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) }
    at += 2 + data.readUInt16BE(at + 2)
  }
  return null
}
