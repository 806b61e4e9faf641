import os from 'node:os'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { Region } from '../../contract/action.ts'
import { GodHandError } from '../../contract/errors.ts'
import { TextLine } from '../../contract/reading.ts'
import type { RawFrame } from '../../sandbox/sandbox.ts'
import { hashFrame } from '../frames.ts'

/** A frame that takes longer than this is not read: the thread is ended and the next read starts a new one. */
const patienceMs = 60_000
/** The networks take some 200 MB; a thread that had nothing to do for so long is ended. */
const idleMs = 5 * 60_000
const rememberedFrames = 64

const Lines = z.array(TextLine)
const Reply = z.union([
  z.object({ id: z.number(), error: z.string() }),
  z.object({ id: z.number(), result: z.unknown() }),
])

type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void }
type Thread = { worker: Worker; waiting: Map<number, Waiting>; idle: NodeJS.Timeout | null }

let thread: Thread | null = null
let nextId = 0
const known = new Map<string, Promise<TextLine[]>>()

/** The text on a screen: words with boxes, line by line. Read in a thread of its own; equal frames are read once. */
export async function readText(frame: RawFrame): Promise<TextLine[]> {
  const hash = await hashFrame(frame)
  const before = known.get(hash)
  if (before) return before
  const reading = ask('text', frame).then((result) => Lines.parse(result))
  known.set(hash, reading)
  reading.catch(() => known.delete(hash))
  if (known.size > rememberedFrames) known.delete(known.keys().next().value ?? '')
  return reading
}

/** Places that look clickable, found in the same thread. */
export async function readRegions(frame: RawFrame): Promise<Region[]> {
  return z.array(Region).parse(await ask('regions', frame))
}

/** Ends the thread and forgets what it has read. The next read starts another. */
export async function closeTextReader(): Promise<void> {
  known.clear()
  const ending = thread
  if (ending) give(ending, new GodHandError('cancelled', 'Reading the screen was stopped.'))
  await ending?.worker.terminate()
}

function ask(what: 'text' | 'regions', frame: RawFrame): Promise<unknown> {
  const reader = running()
  const id = nextId++
  return new Promise<unknown>((resolve, reject) => {
    const timer = setTimeout(() => {
      give(reader, new GodHandError('timeout', `The screen's text could not be read within ${patienceMs / 1000} s.`))
      void reader.worker.terminate()
    }, patienceMs)
    const done = <T>(then: (value: T) => void) => {
      return (value: T) => {
        clearTimeout(timer)
        then(value)
      }
    }
    reader.waiting.set(id, { resolve: done(resolve), reject: done(reject) })
    stayAwake(reader)
    reader.worker.postMessage({ id, what, frame: { width: frame.width, height: frame.height, rgb: frame.rgb } })
  })
}

function running(): Thread {
  if (thread) return thread
  const helpers = Math.max(0, Math.min(4, os.availableParallelism()) - 1)
  const worker = new Worker(new URL('./text-worker.ts', import.meta.url), { workerData: { role: 'screen', helpers } })
  const started: Thread = { worker, waiting: new Map(), idle: null }
  worker.on('message', (message: unknown) => {
    const reply = Reply.parse(message)
    const waiting = started.waiting.get(reply.id)
    started.waiting.delete(reply.id)
    if ('error' in reply)
      waiting?.reject(new GodHandError('internal', `The screen's text could not be read: ${reply.error}`))
    else waiting?.resolve(reply.result)
    if (started.waiting.size === 0) rest(started)
  })
  worker.on('error', (cause) => give(started, new GodHandError('internal', 'The text reader failed.', { cause })))
  worker.on('exit', () => give(started, new GodHandError('internal', 'The text reader ended.')))
  thread = started
  rest(started)
  return started
}

function give(ended: Thread, error: GodHandError): void {
  if (thread === ended) thread = null
  if (ended.idle) clearTimeout(ended.idle)
  for (const waiting of ended.waiting.values()) waiting.reject(error)
  ended.waiting.clear()
}

/** Only a thread that is at work keeps the program alive. */
function rest(reader: Thread): void {
  reader.worker.unref()
  reader.idle = setTimeout(() => void closeTextReader(), idleMs).unref()
}

function stayAwake(reader: Thread): void {
  reader.worker.ref()
  if (reader.idle) clearTimeout(reader.idle)
}
