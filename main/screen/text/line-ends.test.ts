import { expect, it } from 'vitest'
import { withLineEnds } from './line-ends.ts'

const frame = (boxes: [x: number, y: number, width: number, height: number][]) => {
  const width = 120
  const rgb = Buffer.alloc(width * 20 * 3, 250)
  for (const [x, y, across, down] of boxes)
    for (let row = y; row < y + down; row++) rgb.fill(20, (row * width + x) * 3, (row * width + x + across) * 3)
  return { width, height: 20, rgb }
}
const line = (x: number, width: number) => ({ box: { x, y: 2, width, height: 16 }, core: { top: 7, bottom: 12 } })
const word: [number, number, number, number] = [42, 5, 30, 4]

it('a full stop or a dash near the end of a line belongs to it', () => {
  const [both] = withLineEnds(frame([word, [84, 13, 2, 2], [30, 9, 5, 2]]), [line(40, 34)])
  expect(both?.box.x).toBeLessThan(30)
  expect((both?.box.x ?? 0) + (both?.box.width ?? 0)).toBeGreaterThan(85)
})

it('something tall, far, or within another line does not', () => {
  const alone = [line(40, 34)]
  expect(withLineEnds(frame([word, [84, 3, 12, 14]]), alone)).toEqual(alone)
  expect(withLineEnds(frame([word, [110, 13, 2, 2]]), alone)).toEqual(alone)
  const two = [line(40, 34), line(80, 20)]
  expect(withLineEnds(frame([word, [84, 13, 2, 2]]), two)[0]).toEqual(two[0])
})
