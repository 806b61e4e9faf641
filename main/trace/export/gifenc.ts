import { createRequire } from 'node:module'

/** The part of gifenc that is used. It brings no types, and Node and bundlers disagree on what it exports by `import`. */
type Palette = number[][]
type Encoder = {
  writeFrame(
    index: Uint8Array,
    width: number,
    height: number,
    options: { palette: Palette; delay: number; first: boolean },
  ): void
  writeHeader(): void
  finish(): void
  bytes(): Uint8Array
  reset(): void
}
type Gifenc = {
  GIFEncoder(options: { auto: false }): Encoder
  quantize(rgba: Uint8Array, colours: number): Palette
  applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array
}

export const gifenc: Gifenc = createRequire(import.meta.url)('gifenc')
