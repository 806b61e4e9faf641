import sharp from 'sharp'
import type { RawFrame } from '../sandbox/sandbox.ts'
import { diffFrames } from './diff.ts'
import { encodePng, picture } from './frames.ts'

const gap = 8

/** Before | after | what changed: the third has everything else in pale grey and the changed places framed. */
export async function diffPicture(before: RawFrame, after: RawFrame): Promise<Buffer> {
  const height = Math.max(before.height, after.height)
  const width = before.width + after.width * 2 + gap * 2
  const panels = await Promise.all([encodePng(before), encodePng(after), highlighted(before, after)])
  const lefts = [0, before.width + gap, before.width + after.width + gap * 2]
  return sharp({ create: { width, height, channels: 3, background: '#20242c' } })
    .composite(panels.map((input, n) => ({ input, left: lefts[n] ?? 0, top: 0 })))
    .png({ compressionLevel: 4 })
    .toBuffer()
}

async function highlighted(before: RawFrame, after: RawFrame): Promise<Buffer> {
  const { boxes } = diffFrames(before, after)
  const pale = await picture(after).greyscale().linear(0.35, 150).toColourspace('srgb').png().toBuffer()
  const bright = await Promise.all(
    boxes.map(async ({ x, y, width, height }) => ({
      input: await picture(after).extract({ left: x, top: y, width, height }).png().toBuffer(),
      left: x,
      top: y,
    })),
  )
  const frames = boxes.map(
    ({ x, y, width, height }) =>
      `<rect x="${x - 1.5}" y="${y - 1.5}" width="${width + 3}" height="${height + 3}" fill="none" stroke="#e11d48" stroke-width="2"/>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${after.width}" height="${after.height}">${frames.join('')}</svg>`
  return sharp(pale)
    .composite([...bright, { input: Buffer.from(svg) }])
    .png({ compressionLevel: 4 })
    .toBuffer()
}
