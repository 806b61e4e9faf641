import { describe, expect, it } from 'vitest'
import type { Region } from '../contract/action.ts'
import type { RawFrame } from '../sandbox/sandbox.ts'
import { diffPicture } from './diff-picture.ts'
import { decodePng } from './frames.ts'
import { drawMarks, listMarks, markScreen } from './marks.ts'
import { findRegions } from './regions.ts'
import { DrawnSandbox } from './testing/drawn-sandbox.ts'
import { lineOf } from './text/screen-text.ts'

const pixel = (frame: RawFrame, x: number, y: number) => [
  ...frame.rgb.subarray((y * frame.width + x) * 3, (y * frame.width + x) * 3 + 3),
]
const line = (text: string, box: Region) => lineOf([{ text, box, confidence: 1 }])

describe('the diff picture', () => {
  it('shows before, after, and the change alone in its colours', async () => {
    const sandbox = new DrawnSandbox(100, 60)
    const before = sandbox.frame()
    sandbox.fill(40, 20, 10, 10, 200)
    const shown = await decodePng(await diffPicture(before, sandbox.frame()))
    expect([shown.width, shown.height]).toEqual([316, 60])
    expect(pixel(shown, 45, 25)).toEqual([32, 32, 32])
    expect(pixel(shown, 108 + 45, 25)).toEqual([200, 200, 200])
    expect(pixel(shown, 216 + 45, 25)).toEqual([200, 200, 200])
    expect(pixel(shown, 216 + 5, 5)[0]).toBeGreaterThan(140)
    const [red = 0, green = 0] = pixel(shown, 216 + 45, 18)
    expect(red).toBeGreaterThan(green + 80)
  })
})

describe('marks', () => {
  it('finds boxes the size of buttons and small pictures', () => {
    const sandbox = new DrawnSandbox()
    sandbox.fill(50, 50, 120, 30, 200)
    sandbox.fill(300, 200, 24, 24, 90)
    sandbox.fill(306, 206, 12, 12, 250)
    const regions = findRegions(sandbox.frame())
    expect(regions).toContainEqual({ x: 50, y: 50, width: 120, height: 30 })
    expect(regions.some((box) => box.x === 300 && box.y === 200 && box.width === 24)).toBe(true)
  })

  it('takes no gradient for something to click on', () => {
    const sandbox = new DrawnSandbox()
    for (let y = 0; y < 400; y++) {
      sandbox.fill(0, y, 300, 1, 32 + Math.floor(y / 2))
      sandbox.fill(300, y, 340, 1, 36 + Math.floor(y / 2))
    }
    expect(findRegions(sandbox.frame())).toEqual([])
  })

  it('puts a label where it hides no other mark', async () => {
    const sandbox = new DrawnSandbox()
    const boxes = [
      { x: 100, y: 84, width: 60, height: 14 },
      { x: 100, y: 100, width: 60, height: 14 },
    ]
    const marks = markScreen(
      boxes.map((box) => line('Time', box)),
      [],
    )
    const shown = await decodePng(await drawMarks(sandbox.frame(), marks))
    for (const { x, y } of boxes) expect(pixel(shown, x + 4, y + 4)).toEqual([32, 32, 32])
    expect(pixel(shown, 97, 107)).not.toEqual([32, 32, 32])
  })

  it('numbers them in reading order, a button and its word as one', () => {
    const marks = markScreen(
      [
        line('Save', { x: 90, y: 58, width: 40, height: 14 }),
        line('Heading', { x: 20, y: 10, width: 80, height: 16 }),
        line('After', { x: 300, y: 58, width: 40, height: 14 }),
      ],
      [{ x: 50, y: 50, width: 120, height: 30 }],
    )
    expect(marks.map(({ number, kind, text }) => [number, kind, text])).toEqual([
      [1, 'text', 'Heading'],
      [2, 'region', 'Save'],
      [3, 'text', 'After'],
    ])
    expect(marks[1]?.point).toEqual({ x: 110, y: 65 })
    expect(listMarks(marks)).toContain('2. Save at 110, 65')
  })

  it('draws each with a frame and a label without needing a font', async () => {
    const sandbox = new DrawnSandbox()
    const marks = markScreen([line('Save', { x: 100, y: 100, width: 60, height: 20 })], [])
    const shown = await decodePng(await drawMarks(sandbox.frame(), marks))
    const changed = (area: Region) => {
      let count = 0
      for (let y = area.y; y < area.y + area.height; y++)
        for (let x = area.x; x < area.x + area.width; x++) if (pixel(shown, x, y)[0] !== 32) count++
      return count
    }
    expect(changed({ x: 100, y: 84, width: 12, height: 14 })).toBeGreaterThan(60)
    expect(changed({ x: 110, y: 105, width: 40, height: 10 })).toBe(0)
    expect(changed({ x: 110, y: 99, width: 40, height: 1 })).toBe(40)
    expect([...Array(16).keys()].some((n) => pixel(shown, 101 + n, 90).every((value) => value > 200))).toBe(true)
  })
})
