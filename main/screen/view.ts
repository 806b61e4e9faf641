import type { Point } from '../contract/action.ts'
import type { RawFrame } from '../sandbox/sandbox.ts'
import { encodePng, picture } from './frames.ts'

/** What a model can take in. Whatever is left out does not limit. */
export type ViewLimit = {
  longEdge?: number
  pixels?: number
  /** Images are paid by squares of `size` pixels, at most `count` of them. */
  patches?: { size: number; count: number }
  /** Both sides are a multiple of this, for models that would otherwise round by themselves. */
  multipleOf?: number
}

type Size = { width: number; height: number }

/** A scaled view of the screen and the exact way back to native pixels. */
export type View = Size & {
  toNative(point: Point): Point
  fromNative(point: Point): Point
  png(frame: RawFrame): Promise<Buffer>
}

export function fitFor(screen: Size, limit: ViewLimit): View {
  const { width, height } = fittedSize(screen, limit)
  const scale = { x: screen.width / width, y: screen.height / height }
  const same = width === screen.width && height === screen.height
  // A pixel stands for its middle, so that both ways round agree and no edge drifts by half a pixel.
  const map = (value: number, factor: number, size: number) =>
    Math.min(size - 1, Math.max(0, Math.round((value + 0.5) * factor - 0.5)))
  return {
    width,
    height,
    toNative: ({ x, y }) => ({ x: map(x, scale.x, screen.width), y: map(y, scale.y, screen.height) }),
    fromNative: ({ x, y }) => ({ x: map(x, 1 / scale.x, width), y: map(y, 1 / scale.y, height) }),
    png: (frame) =>
      same
        ? encodePng(frame)
        : picture(frame)
            .resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
            .png({ compressionLevel: 4 })
            .toBuffer(),
  }
}

function fittedSize(screen: Size, limit: ViewLimit): Size {
  const step = limit.multipleOf ?? 1
  const sized = (factor: number): Size => ({
    width: Math.max(step, Math.floor((screen.width * factor) / step) * step),
    height: Math.max(step, Math.floor((screen.height * factor) / step) * step),
  })
  const fits = ({ width, height }: Size) =>
    Math.max(width, height) <= (limit.longEdge ?? Number.POSITIVE_INFINITY) &&
    width * height <= (limit.pixels ?? Number.POSITIVE_INFINITY) &&
    (!limit.patches ||
      Math.ceil(width / limit.patches.size) * Math.ceil(height / limit.patches.size) <= limit.patches.count)
  if (fits(sized(1))) return sized(1)
  let low = 0
  let high = 1
  while ((high - low) * Math.max(screen.width, screen.height) > 0.25) {
    const middle = (low + high) / 2
    if (fits(sized(middle))) low = middle
    else high = middle
  }
  return sized(low)
}
