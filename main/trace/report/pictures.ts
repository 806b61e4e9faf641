import sharp from 'sharp'
import type { TraceSource } from '../export/source.ts'
import { pngSize } from '../pixels.ts'

/** A picture on the page: the first to show it holds its bytes, all others borrow them by its id. */
export type Shown = { id: string; width: number; height: number; data: string | null }

/** Fewer pictures are shown larger; many must still make a file that opens. */
function qualityFor(pictures: number): { width: number; quality: number } {
  if (pictures <= 150) return { width: 1280, quality: 76 }
  if (pictures <= 800) return { width: 960, quality: 66 }
  return { width: 720, quality: 55 }
}

export class Pictures {
  readonly #source: TraceSource
  readonly #quality: { width: number; quality: number }
  readonly #ids = new Map<string, string>()
  readonly #held = new Map<string, { width: number; height: number } | null>()
  readonly #inSteps = new Set<string>()

  constructor(source: TraceSource) {
    this.#source = source
    this.#quality = qualityFor(source.frames.length)
  }

  idOf(hash: string): string {
    const id = this.#ids.get(hash) ?? `f${this.#ids.size + 1}`
    this.#ids.set(hash, id)
    return id
  }

  /** Steps hold the bytes of what they show, so that all of them can be read where scripts are off; others borrow. */
  expectInSteps(hashes: Iterable<string | null>): void {
    for (const hash of hashes) if (hash) this.#inSteps.add(hash)
  }

  isInSteps(hash: string): boolean {
    return this.#inSteps.has(hash)
  }

  /** With its bytes the first time, without them afterwards. Null when the picture was lost. */
  async show(hash: string): Promise<Shown | null> {
    const id = this.idOf(hash)
    const held = this.#held.get(hash)
    if (held !== undefined) return held && { id, ...held, data: null }
    const png = await this.#source.frame(hash)
    const size = png && pngSize(png)
    this.#held.set(hash, size)
    if (!png || !size) return null
    const { width, quality } = this.#quality
    const webp = await sharp(png).resize({ width, withoutEnlargement: true }).webp({ quality, effort: 1 }).toBuffer()
    return { id, ...size, data: `data:image/webp;base64,${webp.toString('base64')}` }
  }
}
