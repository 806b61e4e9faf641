import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { GodHandError } from '../../contract/errors.ts'
import { type FilmFrame, filmOf } from './film.ts'
import type { TraceSource } from './source.ts'
import type { WriteOptions } from './writers.ts'

/**
 * A video without a video encoder: a lossy WebP picture is a key frame of VP8, so sharp makes the frames and only the
 * container has to be written. Every picture is whole, so one can jump anywhere. The index at its start is written last,
 * which is why it is put together in a file of its own first.
 */
export async function writeWebm(
  source: TraceSource,
  to: Writable,
  { onProgress, signal }: WriteOptions = {},
  width = 1280,
): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'godhand-video-'))
  try {
    const file = path.join(folder, 'trace.webm')
    const onStep = (done: number) => onProgress?.({ step: 'Drawing', done, total: source.task.stepCount })
    await mux(filmOf(source, { width, onStep, signal }), file)
    await pipeline(createReadStream(file), to, { ...(signal && { signal }) })
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}

async function mux(film: AsyncIterable<FilmFrame>, file: string): Promise<void> {
  // Only when somebody wants a video: it is the largest package here by far.
  const { EncodedPacket, EncodedVideoPacketSource, FilePathTarget, Output, WebMOutputFormat } = await import(
    'mediabunny'
  )
  const output = new Output({ format: new WebMOutputFormat(), target: new FilePathTarget(file) })
  const track = new EncodedVideoPacketSource('vp8')
  output.addVideoTrack(track)
  await output.start()
  let at = 0
  try {
    for await (const { picture, width, height, holdMs } of film) {
      const data = vp8Of(await picture.webp({ quality: 82, effort: 0 }).toBuffer())
      const packet = new EncodedPacket(data, 'key', at / 1000, holdMs / 1000)
      await track.add(packet, { decoderConfig: { codec: 'vp8', codedWidth: width, codedHeight: height } })
      at += holdMs
    }
    if (at === 0) throw new GodHandError('not_found', 'This trace has no pictures to make a video of.')
    await output.finalize()
  } catch (thrown) {
    await output.cancel()
    throw thrown
  }
}

/** The frame inside the RIFF file. */
export function vp8Of(webp: Buffer): Buffer {
  for (let at = 12; at + 8 <= webp.length; ) {
    const name = webp.toString('latin1', at, at + 4)
    const size = webp.readUInt32LE(at + 4)
    if (name === 'VP8 ') return webp.subarray(at + 8, at + 8 + size)
    at += 8 + size + (size % 2)
  }
  throw new GodHandError('internal', 'The picture was not packed as VP8.')
}
