import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { z } from 'zod'
import type { RawFrame } from '../../sandbox/sandbox.ts'
import { findRegions } from '../regions.ts'
import { detectChanges } from './changed-lines.ts'
import { loadDetector, loadReader, type Reader } from './models.ts'
import { Ocr } from './ocr.ts'
import type { Letter } from './recognise.ts'

/**
 * The thread that reads screens. The networks use one core for each call, so it starts helpers of its own kind that read
 * strips beside it. Messages: {id, what, frame} → {id, result} or {id, error}.
 */
export const WorkerRole = z.object({ role: z.enum(['screen', 'strips']), helpers: z.number().int().nonnegative() })

type Request = { id: number; what: 'text' | 'regions'; frame: { width: number; height: number; rgb: Uint8Array } }
type Reply = { id: number; result: unknown } | { id: number; error: string }

if (!isMainThread && parentPort) await serve(parentPort)

async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  const { role, helpers } = WorkerRole.parse(workerData)
  const work: (picture: RawFrame) => Promise<unknown> = role === 'strips' ? await loadReader() : await loadOcr(helpers)
  port.on('message', async ({ id, what, frame }: Request) => {
    const picture = { ...frame, rgb: Buffer.from(frame.rgb.buffer, frame.rgb.byteOffset, frame.rgb.byteLength) }
    const done = what === 'regions' ? Promise.resolve(picture).then(findRegions) : work(picture)
    const reply = await done.then(
      (result): Reply => ({ id, result }),
      (error: unknown): Reply => ({ id, error: error instanceof Error ? error.message : String(error) }),
    )
    port.postMessage(reply)
  })
}

async function loadOcr(helpers: number): Promise<(frame: RawFrame) => Promise<unknown>> {
  const [detector, reader] = await Promise.all([loadDetector(helpers + 1), loadReader()])
  const others = Array.from({ length: helpers }, startHelper)
  // Each helper twice: it has its next strip at hand while this thread is held up by one of its own.
  const ocr = new Ocr(detectChanges(detector), [reader, ...others, ...others])
  return (frame) => ocr.read(frame)
}

/** A reader in a thread beside this one. When the thread dies, so does this one, and the next read starts all anew. */
function startHelper(): Reader {
  const worker = new Worker(new URL(import.meta.url), { workerData: { role: 'strips', helpers: 0 } })
  const waiting = new Map<number, (reply: Reply) => void>()
  let nextId = 0
  worker.on('message', (reply: Reply) => {
    waiting.get(reply.id)?.(reply)
    waiting.delete(reply.id)
  })
  worker.on('error', (error) => {
    throw error
  })
  return (strip) =>
    new Promise<Letter[]>((resolve, reject) => {
      const id = nextId++
      waiting.set(id, (reply) =>
        'error' in reply ? reject(new Error(reply.error)) : resolve(Letters.parse(reply.result)),
      )
      worker.postMessage({ id, what: 'text', frame: strip })
    })
}

const Letters = z.array(z.object({ text: z.string(), x: z.number(), confidence: z.number() }))
