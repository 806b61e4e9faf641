import { createHash } from 'node:crypto'
import PQueue from 'p-queue'
import { GodHandError } from '../../contract/errors.ts'
import { decodeFrame, pixelHash } from '../pixels.ts'
import type { BundleReader } from './bundle-reader.ts'
import { limits, names } from './format.ts'
import { Refusal } from './refusal.ts'

export type CheckedFrame = { hash: string; png: Buffer; width: number; height: number }

/** Decoding is the work here, and libvips does it in threads of its own. */
const atOnce = 3

/** Calls `take` with every frame whose bytes and pixels are what their names say. The first that is not ends it. */
export async function forEachFrame(
  bundle: BundleReader,
  sums: Map<string, string>,
  take: (frame: CheckedFrame) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<void> {
  const queue = new PQueue({ concurrency: atOnce })
  const failures: unknown[] = []
  for (const hash of bundle.frames) {
    await queue.onSizeLessThan(1)
    if (failures.length > 0 || signal?.aborted) break
    queue.add(async () => take(await checkedFrame(bundle, hash, sums))).catch((thrown) => failures.push(thrown))
  }
  await queue.onIdle()
  signal?.throwIfAborted()
  if (failures.length > 0) throw failures[0]
}

async function checkedFrame(bundle: BundleReader, hash: string, sums: Map<string, string>): Promise<CheckedFrame> {
  const name = names.frame(hash)
  const png = await bundle.read(name)
  if (sha256(png) !== sums.get(name)) throw new Refusal('hash', name, 'Its content is not what was packed.')
  try {
    const pixels = await decodeFrame(png, { edge: limits.frameEdge, pixels: limits.framePixels })
    if (pixelHash(pixels) !== hash) throw new Refusal('hash', name, 'It shows something else than its name says.')
    return { hash, png, width: pixels.width, height: pixels.height }
  } catch (thrown) {
    if (thrown instanceof GodHandError) throw new Refusal('frame', name, thrown.message, thrown)
    throw thrown
  }
}

export function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
