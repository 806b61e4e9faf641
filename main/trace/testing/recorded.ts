import path from 'node:path'
import sharp from 'sharp'
import type { Step, Task } from '../../contract/task.ts'
import { RunTask } from '../../contract/task.ts'
import { type FrameStore, openFrameStore } from '../frame-store.ts'
import type { FrameRecord } from '../frames.ts'
import { decodeFrame, encodeFrame, pixelHash } from '../pixels.ts'
import type { Store } from '../store.ts'
import { noon, sampleStep, sampleTask, temporaryFolder, temporaryStore } from './samples.ts'

/** A store with finished traces whose pictures exist, for tests of everything that reads traces. */
export type House = { store: Store; frames: FrameStore; folder: string }

export async function emptyHouse(): Promise<House> {
  const folder = temporaryFolder()
  const store = temporaryStore(path.join(folder, 'godhand.db'))
  return { store, frames: await openFrameStore(path.join(folder, 'frames')), folder }
}

/** A desktop of its own: a window at a place, on a background that depends on `n`. */
export async function paintedFrame(
  n: number,
  size = { width: 320, height: 200 },
): Promise<FrameRecord & { png: Buffer }> {
  const left = 10 + ((n * 7) % 100)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">
    <rect width="100%" height="100%" fill="rgb(${n % 256},${(n >> 8) % 256},90)"/>
    <rect x="${left}" y="40" width="150" height="100" fill="white"/><rect x="${left}" y="40" width="150" height="16" fill="navy"/>
  </svg>`
  const pixels = await decodeFrame(await sharp(Buffer.from(svg)).png().toBuffer())
  const png = await encodeFrame(pixels)
  return {
    hash: pixelHash(pixels),
    width: pixels.width,
    height: pixels.height,
    bytes: png.length,
    createdAt: noon,
    png,
  }
}

export type Recording = { steps?: number; task?: Partial<Task>; step?: (index: number) => Partial<Step> }

/** `frames` are shared between steps where they look alike: the picture after a step is the one before the next. */
export async function record({ store, frames }: House, recording: Recording = {}): Promise<Task> {
  const count = recording.steps ?? 3
  const task = sampleTask({
    state: 'succeeded',
    verdict: 'The file is there.',
    startedAt: noon,
    endedAt: noon,
    ...recording.task,
  })
  const request = RunTask.parse({ goal: task.goal, planner: { kind: 'demo' } })
  store.tasks.insert(task, request)
  const painted = []
  for (let n = 0; n <= count; n++) {
    const frame = await paintedFrame(n)
    await frames.put(frame.hash, frame.png)
    painted.push(frame)
  }
  for (let index = 0; index < count; index++) {
    const [before, after] = [painted[index], painted[index + 1]]
    if (!before || !after) throw new Error('a picture is missing')
    const parts = { before: before.hash, after: after.hash, ...recording.step?.(index) }
    const { png: _, ...first } = before
    const { png: __, ...second } = after
    store.steps.append(sampleStep(task.id, index, parts), [first, second])
  }
  return { ...task, stepCount: count }
}
