import { describe, expect, it } from 'vitest'
import type { RawFrame } from '../../sandbox/sandbox.ts'
import { DrawnSandbox } from '../testing/drawn-sandbox.ts'
import { busyAreas } from './busy-areas.ts'
import { detectChanges } from './changed-lines.ts'
import type { DetectedLine } from './detect.ts'

/** Finds every row of ink as a line, and remembers the heights of what it was given to search. */
function rowFinder() {
  const searched: number[] = []
  const detect = async (frame: RawFrame): Promise<DetectedLine[]> => {
    searched.push(frame.height)
    const lines: DetectedLine[] = []
    for (let y = 0; y < frame.height; y++) {
      const row = frame.rgb.subarray(y * frame.width * 3, (y + 1) * frame.width * 3)
      const from = row.findIndex((value) => value > 200)
      if (from < 0) continue
      const x = Math.floor(from / 3)
      const width = Math.floor(row.findLastIndex((value) => value > 200) / 3) - x + 1
      const last = lines.at(-1)
      if (last && last.box.y + last.box.height === y) {
        last.box.height++
        last.core.bottom = y
      } else lines.push({ box: { x, y, width, height: 1 }, core: { top: y, bottom: y } })
    }
    return lines
  }
  return { detect, searched }
}

const tops = (lines: DetectedLine[]) => lines.map(({ box }) => [box.x, box.y, box.width]).sort()

describe('searching a screen again', () => {
  it('searches only around what has changed, and gives what a whole search would', async () => {
    const sandbox = new DrawnSandbox(640, 800)
    for (let y = 20; y < 780; y += 40) sandbox.fill(30, y, 300, 12, 255)
    const { detect, searched } = rowFinder()
    const again = detectChanges(detect)
    await again(sandbox.frame())
    sandbox.fill(340, 420, 100, 12, 255) // one line grows
    sandbox.fill(30, 460, 300, 12, 32) // and the next one goes
    expect(tops(await again(sandbox.frame()))).toEqual(tops(await detect(sandbox.frame())))
    expect(searched[0]).toBe(800)
    expect(searched[1]).toBeLessThan(260)
  })

  it('does not search at all when nothing has changed', async () => {
    const sandbox = new DrawnSandbox(640, 400)
    sandbox.fill(30, 20, 300, 12, 255)
    const { detect, searched } = rowFinder()
    const again = detectChanges(detect)
    expect(await again(sandbox.frame())).toEqual(await again(sandbox.frame()))
    expect(searched).toHaveLength(1)
  })

  it('searches the whole screen when most of it is new', async () => {
    const sandbox = new DrawnSandbox(640, 400)
    const { detect, searched } = rowFinder()
    const again = detectChanges(detect)
    await again(sandbox.frame())
    for (let y = 20; y < 380; y += 40) sandbox.fill(30, y, 300, 12, 255)
    expect(await again(sandbox.frame())).toHaveLength(9)
    expect(searched).toEqual([400, 400])
  })
})

describe('where something is drawn', () => {
  it('is cut at empty rows and columns, with some ground around each part', () => {
    const sandbox = new DrawnSandbox(640, 400)
    sandbox.fill(64, 64, 100, 12, 255)
    sandbox.fill(400, 64, 50, 12, 255)
    sandbox.fill(64, 300, 200, 12, 255)
    const areas = busyAreas(sandbox.frame())
    expect(areas).toHaveLength(3)
    for (const { width, height } of areas) expect(width * height).toBeLessThan(260 * 64)
    expect(areas[0]).toMatchObject({ x: 48, y: 48 })
  })

  it('is nowhere on plain or gently shaded ground', () => {
    const sandbox = new DrawnSandbox(640, 400)
    for (let x = 0; x < 640; x++) sandbox.fill(x, 0, 1, 400, Math.floor(x / 3))
    expect(busyAreas(sandbox.frame())).toEqual([])
  })
})
