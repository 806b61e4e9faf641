import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { GodHandError } from '../contract/errors.ts'

export type PngSize = { width: number; height: number }
export type Pixels = PngSize & { rgb: Buffer }
export type PixelLimits = { edge: number; pixels: number }

/** More than any screen, and little enough to hold in memory. */
export const screenLimits: PixelLimits = { edge: 16_384, pixels: 40_000_000 }

const signature = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** What the file says its size is, without decoding a pixel. Null when it is not a PNG. */
export function pngSize(png: Uint8Array): PngSize | null {
  const head = Buffer.from(png.buffer, png.byteOffset, Math.min(png.byteLength, 24))
  if (head.length < 24 || !head.subarray(0, signature.length).equals(signature)) return null
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

/** The size is looked at before anything is decoded: a picture of a gigapixel fits into a kilobyte. */
export async function decodeFrame(png: Buffer, limits = screenLimits): Promise<Pixels> {
  const size = pngSize(png)
  if (!size) throw new GodHandError('corrupt', 'It is not a PNG.')
  const { width, height } = size
  if (width < 1 || height < 1 || width > limits.edge || height > limits.edge || width * height > limits.pixels)
    throw new GodHandError('corrupt', `A picture of ${width}×${height} is too large for a screen.`)
  try {
    const { data, info } = await sharp(png, { limitInputPixels: limits.pixels, failOn: 'warning' })
      .removeAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    if (info.channels !== 3) throw new Error(`${info.channels} channels`)
    return { width: info.width, height: info.height, rgb: data }
  } catch (cause) {
    throw new GodHandError('corrupt', 'The picture cannot be decoded.', { cause })
  }
}

/** The same name the screen gives a frame: equal pixels and size, equal name, however they were compressed. */
export function pixelHash({ width, height, rgb }: Pixels): string {
  return createHash('sha256').update(`${width}x${height}\n`).update(rgb).digest('hex')
}

export function encodeFrame({ width, height, rgb }: Pixels): Promise<Buffer> {
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 4 })
    .toBuffer()
}
