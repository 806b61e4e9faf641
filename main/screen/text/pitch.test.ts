import { expect, it } from 'vitest'
import { pitchesOf } from './pitch.ts'

/** Ink of the given widths, each in the middle of a cell, or one after the other. */
const inCells = (widths: number[], pitch: number) =>
  widths.map((width, n) => ({
    left: n * pitch + (pitch - width) / 2,
    right: n * pitch + (pitch + width) / 2 - 1,
    top: 0,
    bottom: 9,
  }))
const inRow = (widths: number[]) => {
  let left = 0
  return widths.map((width) => {
    const run = { left, right: left + width - 1, top: 0, bottom: 9 }
    left += width + 2
    return run
  })
}
const line = (runs: ReturnType<typeof inRow>, y = 0) => ({ runs, region: { x: 0, y, width: 400, height: 12 } })
const many = [7, 3, 7, 5, 7, 1, 7, 7, 3, 9, 7, 5, 7, 7, 3, 7, 9, 7, 1, 7, 5, 7, 3, 7]
const uneven = [8, 2, 7, 11, 5, 8, 2, 2, 12, 7, 4, 9, 6, 2, 13, 8, 5, 7, 10, 3, 8, 6, 2, 11]

it('letters in cells of one width have a pitch, others have none', () => {
  expect(pitchesOf([line(inCells(many, 9))])[0]).toBeCloseTo(9, 0)
  expect(pitchesOf([line(inRow(uneven))])).toEqual([null])
})

it('few letters have one where the lines around have the same', () => {
  const few = inCells(many.slice(0, 10), 9)
  expect(pitchesOf([line(few)])).toEqual([null])
  const together = pitchesOf([
    line(few),
    line(inCells(many, 9), 18),
    line(inCells(many, 9), 36),
    line(inCells(many, 9), 54),
  ])
  expect(together[0]).toBeCloseTo(9, 0)
})
