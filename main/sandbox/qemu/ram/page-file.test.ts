import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Extent, PAGE, readDelta, splitZeroes, writeDelta, writeFull } from './page-file.ts'

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gh-pages-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

const page = (value: number) => Buffer.alloc(PAGE, value)
const RAM = 64 * PAGE

describe('copied pages', () => {
  it('are split where zero pages begin and end', () => {
    const run = Buffer.concat([page(0), page(0), page(1), page(2), page(0)])
    expect([...splitZeroes(10, run)].map(({ first, count, data }) => [first, count, data !== null])).toEqual([
      [10, 2, false],
      [12, 2, true],
      [14, 1, false],
    ])
  })

  it('come back from a delta as they were written, zeroes without their bytes', () => {
    const file = path.join(folder, 'delta')
    const extents: Extent[] = [
      { first: 3, count: 2, data: Buffer.concat([page(7), page(8)]) },
      { first: 9, count: 40, data: null },
    ]
    const { bytes } = writeDelta(file, RAM, extents)
    expect(bytes).toBeLessThan(3 * PAGE)
    const back: Extent[] = []
    readDelta(file, RAM, (extent) => back.push(extent))
    expect(back).toEqual(extents)
  })

  it('make a full file with holes where it is zero', () => {
    const file = path.join(folder, 'full')
    writeFull(file, RAM, [{ first: 5, count: 1, data: page(9) }])
    const content = fs.readFileSync(file)
    expect(content.length).toBe(RAM)
    expect(content.subarray(5 * PAGE, 6 * PAGE)).toEqual(page(9))
    expect(fs.statSync(file).blocks * 512).toBeLessThan(RAM / 2)
  })
})

describe('a damaged delta is refused', () => {
  const write = () => {
    const file = path.join(folder, 'delta')
    writeDelta(file, RAM, [{ first: 0, count: 2, data: Buffer.concat([page(1), page(2)]) }])
    return file
  }

  it('when it is cut short', () => {
    const file = write()
    fs.truncateSync(file, PAGE)
    expect(() => readDelta(file, RAM, () => {})).toThrow(/cut short/)
  })

  it('when it is of another memory size', () => {
    expect(() => readDelta(write(), RAM * 2, () => {})).toThrow(/another size/)
  })

  it('when it names pages outside the memory', () => {
    const file = path.join(folder, 'outside')
    writeDelta(file, RAM, [{ first: 63, count: 2, data: null }])
    expect(() => readDelta(file, RAM, () => {})).toThrow(/outside/)
  })
})
