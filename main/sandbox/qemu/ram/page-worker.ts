import { parentPort } from 'node:worker_threads'
import {
  compressFile,
  type Extent,
  hashFile,
  hashFull,
  PAGE,
  readDelta,
  splitZeroes,
  writeDelta,
  writeFull,
} from './page-file.ts'
import { GuestMemory } from './process-memory.ts'

/** Copies guest memory in a thread of its own: hundreds of megabytes must not stand in the event loop's way. */

export type PageJob =
  | { kind: 'copy'; pid: number; ramFile: string; ramBytes: number } // guest paused: into this thread's memory
  | { kind: 'write'; as: 'delta' | 'full'; file: string; ramBytes: number } // guest running: from there to disk
  | { kind: 'compress'; file: string }
  | { kind: 'hash'; file: string; sparse: boolean }
  | { kind: 'inject'; pid: number; ramFile: string; ramBytes: number; delta: string } // guest not yet started

let copied: { first: number; data: Buffer }[] = []

function run(job: PageJob): unknown {
  switch (job.kind) {
    case 'copy': {
      const memory = new GuestMemory(job.pid, job.ramFile, job.ramBytes)
      copied = memory.read(memory.dirtyRuns())
      return { bytes: copied.reduce((sum, run) => sum + run.data.length, 0) }
    }
    case 'write': {
      const extents: Extent[] = copied.flatMap(({ first, data }) => [...splitZeroes(first, data)])
      try {
        return (job.as === 'delta' ? writeDelta : writeFull)(job.file, job.ramBytes, extents)
      } finally {
        copied = []
      }
    }
    case 'compress':
      return compressFile(job.file)
    case 'hash':
      return (job.sparse ? hashFull : hashFile)(job.file)
    case 'inject': {
      const writer = new GuestMemory(job.pid, job.ramFile, job.ramBytes).writer()
      try {
        readDelta(job.delta, job.ramBytes, ({ first, count, data }) =>
          writer.write(first, data ?? Buffer.alloc(count * PAGE)),
        )
      } finally {
        writer.close()
      }
      return {}
    }
  }
}

parentPort?.on('message', ({ id, job }: { id: number; job: PageJob }) => {
  try {
    parentPort?.postMessage({ id, result: run(job) })
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error : new Error(String(error)) })
  }
})
