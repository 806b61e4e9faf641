import { z } from 'zod'
import { Region } from '../../../contract/action.ts'
import type { RawFrame } from '../../../sandbox/sandbox.ts'
import { crop, decodePng, encodePng, picture } from '../../../screen/frames.ts'
import { fitFor, type View, type ViewLimit } from '../../../screen/view.ts'

/** A picture in a conversation, by the name of the frame it shows. The pixels are in the trace's frame store. */
export const PictureRef = z.object({
  frame: z.string(),
  region: Region.optional(), // in native pixels; the whole screen when left out
})
export type PictureRef = z.infer<typeof PictureRef>

export type Encoded = { mediaType: 'image/png' | 'image/jpeg'; base64: string }
export type LoadFrame = (hash: string) => Promise<Buffer | null>

/** Screens are sharp and small as PNG; photographs on them are neither, and a request has a size. */
const PNG_LIMIT = 700_000

/** Frames as a model is shown them. The same frame is the same bytes every time, or no cache would know it again. */
export class Pictures {
  readonly #limit: ViewLimit
  readonly #load: LoadFrame | undefined
  readonly #encoded = new Map<string, Promise<Encoded>>()

  constructor(limit: ViewLimit, load?: LoadFrame) {
    this.#limit = limit
    this.#load = load
  }

  viewOf(screen: { width: number; height: number }): View {
    return fitFor(screen, this.#limit)
  }

  /** Remembers how the frame looks, so that it need not be loaded again. */
  add(frame: RawFrame, hash: string, region?: Region): PictureRef {
    const ref: PictureRef = region ? { frame: hash, region } : { frame: hash }
    const key = JSON.stringify(ref)
    if (!this.#encoded.has(key)) this.#encoded.set(key, this.#encode(frame, region))
    return ref
  }

  /** Null when the frame is lost. */
  async get(ref: PictureRef): Promise<Encoded | null> {
    const known = this.#encoded.get(JSON.stringify(ref))
    if (known) return known
    const png = await this.#load?.(ref.frame)
    if (!png) return null
    this.add(await decodePng(png), ref.frame, ref.region)
    return this.get(ref)
  }

  forget(ref: PictureRef): void {
    this.#encoded.delete(JSON.stringify(ref))
  }

  async #encode(frame: RawFrame, region: Region | undefined): Promise<Encoded> {
    const png = region ? await this.#enlarged(frame, region) : await fitFor(frame, this.#limit).png(frame)
    if (png.length <= PNG_LIMIT) return { mediaType: 'image/png', base64: png.toString('base64') }
    const jpeg = await picture(await decodePng(png))
      .jpeg({ quality: 85 })
      .toBuffer()
    return { mediaType: 'image/jpeg', base64: jpeg.toString('base64') }
  }

  /** A closer look fills what a model can take in. */
  #enlarged(frame: RawFrame, region: Region): Promise<Buffer> {
    const part = crop(frame, region)
    const factor = (this.#limit.longEdge ?? 1280) / Math.max(part.width, part.height)
    if (factor <= 1) return fitFor(part, this.#limit).png(part)
    const wished = { width: Math.round(part.width * factor), height: Math.round(part.height * factor) }
    const { width, height } = fitFor(wished, this.#limit)
    if (width < part.width || height < part.height) return encodePng(part)
    return picture(part)
      .resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
      .png({ compressionLevel: 4 })
      .toBuffer()
  }
}
