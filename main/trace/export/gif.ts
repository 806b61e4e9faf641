import { GodHandError } from '../../contract/errors.ts'
import { filmOf } from './film.ts'
import { gifenc } from './gifenc.ts'
import type { TraceSource } from './source.ts'
import type { WriteOptions } from './writers.ts'

/** Given picture by picture, so a long trace needs no more memory than a short one. */
export async function* gifOf(
  source: TraceSource,
  { onProgress, signal }: WriteOptions = {},
  width = 720,
): AsyncGenerator<Buffer> {
  const gif = gifenc.GIFEncoder({ auto: false })
  gif.writeHeader()
  const taken = () => {
    const bytes = Buffer.from(gif.bytes())
    gif.reset()
    return bytes
  }
  let frames = 0
  const onStep = (done: number) => onProgress?.({ step: 'Drawing', done, total: source.task.stepCount })
  for await (const { picture, holdMs } of filmOf(source, { width, onStep, signal })) {
    const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    const palette = gifenc.quantize(data, 256)
    gif.writeFrame(gifenc.applyPalette(data, palette), info.width, info.height, {
      palette,
      delay: holdMs,
      first: frames === 0,
    })
    frames++
    yield taken()
  }
  if (frames === 0) throw new GodHandError('not_found', 'This trace has no pictures to make a film of.')
  gif.finish()
  yield taken()
}
