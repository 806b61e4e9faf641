import sharp, { type Sharp } from 'sharp'
import type { Region } from '../contract/action.ts'
import { GodHandError } from '../contract/errors.ts'
import type { RawFrame } from '../sandbox/sandbox.ts'

/** Pictures of the screen: as PNG, by content, and parts of them. The heavy work runs in libvips' and Node's own threads. */

export function picture(frame: RawFrame): Sharp {
  return sharp(frame.rgb, { raw: { width: frame.width, height: frame.height, channels: 3 } })
}

/** Screens compress well at once; a higher level costs time and gains little. */
export function encodePng(frame: RawFrame): Promise<Buffer> {
  return picture(frame).png({ compressionLevel: 4 }).toBuffer()
}

export async function decodePng(png: Buffer): Promise<RawFrame> {
  const { data, info } = await sharp(png)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgb: data }
}

const hashes = new WeakMap<RawFrame, Promise<string>>()

/** The name of a frame's content: equal pixels and size, equal name, however they were stored. */
export function hashFrame(frame: RawFrame): Promise<string> {
  const known = hashes.get(frame)
  if (known) return known
  const size = Buffer.from(`${frame.width}x${frame.height}\n`)
  const hash = crypto.subtle
    .digest('SHA-256', Buffer.concat([size, frame.rgb]))
    .then((digest) => Buffer.from(digest).toString('hex'))
  hashes.set(frame, hash)
  return hash
}

/** The native pixels of a region. */
export function crop(frame: RawFrame, region: Region): RawFrame {
  const { x, y, width, height } = region
  if (x < 0 || y < 0 || width < 1 || height < 1 || x + width > frame.width || y + height > frame.height)
    throw new GodHandError(
      'bad_request',
      `The region ${width}×${height} at ${x}, ${y} is not within the screen of ${frame.width}×${frame.height}.`,
    )
  const rgb = Buffer.allocUnsafe(width * height * 3)
  for (let row = 0; row < height; row++) {
    const start = ((y + row) * frame.width + x) * 3
    frame.rgb.copy(rgb, row * width * 3, start, start + width * 3)
  }
  return { width, height, rgb }
}

/** A closer look: the region's native pixels, enlarged by a whole factor while they fit into `longEdge`. */
export async function zoom(frame: RawFrame, region: Region, longEdge = 1280): Promise<Buffer> {
  const part = crop(frame, region)
  const factor = Math.max(1, Math.floor(longEdge / Math.max(part.width, part.height)))
  if (factor === 1) return encodePng(part)
  return picture(part)
    .resize(part.width * factor, part.height * factor, { kernel: 'lanczos3' })
    .png({ compressionLevel: 4 })
    .toBuffer()
}
