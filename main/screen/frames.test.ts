import { describe, expect, it } from 'vitest'
import type { RawFrame } from '../sandbox/sandbox.ts'
import { diffFrames } from './diff.ts'
import { crop, decodePng, encodePng, hashFrame, zoom } from './frames.ts'
import { DrawnSandbox } from './testing/drawn-sandbox.ts'
import { fitFor } from './view.ts'

function noisy(width: number, height: number): RawFrame {
  const rgb = Buffer.alloc(width * height * 3)
  let seed = 1
  for (let n = 0; n < rgb.length; n++) {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    rgb[n] = seed >>> 24
  }
  return { width, height, rgb }
}

describe('frames', () => {
  it('come back from PNG pixel by pixel', async () => {
    const frame = noisy(77, 41)
    const back = await decodePng(await encodePng(frame))
    expect([back.width, back.height]).toEqual([77, 41])
    expect(back.rgb.equals(frame.rgb)).toBe(true)
  })

  it('have equal names exactly when size and pixels are equal', async () => {
    const frame = noisy(40, 20)
    const copy = { ...frame, rgb: Buffer.from(frame.rgb) }
    const turned = { width: 20, height: 40, rgb: frame.rgb }
    expect(await hashFrame(copy)).toBe(await hashFrame(frame))
    expect(await hashFrame(turned)).not.toBe(await hashFrame(frame))
    copy.rgb[5] = 255 - (copy.rgb[5] ?? 0)
    expect(await hashFrame({ ...copy })).not.toBe(await hashFrame(frame))
  })

  it('give the native pixels of a region', async () => {
    const frame = noisy(50, 30)
    const part = crop(frame, { x: 7, y: 3, width: 10, height: 5 })
    for (let y = 0; y < 5; y++)
      for (let x = 0; x < 10; x++)
        expect(part.rgb[(y * 10 + x) * 3 + 1]).toBe(frame.rgb[((y + 3) * 50 + x + 7) * 3 + 1])
    expect(() => crop(frame, { x: 45, y: 0, width: 10, height: 5 })).toThrow('not within the screen')
    const closer = await decodePng(await zoom(frame, { x: 0, y: 0, width: 10, height: 5 }, 100))
    expect([closer.width, closer.height]).toEqual([100, 50])
  })
})

describe('scaled views', () => {
  const screen = { width: 1920, height: 1080 }

  it.each([
    { limit: { longEdge: 1280 }, size: [1280, 720] },
    { limit: { longEdge: 4000 }, size: [1920, 1080] },
    { limit: { multipleOf: 28 }, size: [1904, 1064] },
  ])('fit $limit', ({ limit, size }) => {
    const view = fitFor(screen, limit)
    expect([view.width, view.height]).toEqual(size)
  })

  it('stay within a limit of patches, and use most of it', () => {
    const view = fitFor(screen, { longEdge: 1568, patches: { size: 28, count: 1568 } })
    const patches = Math.ceil(view.width / 28) * Math.ceil(view.height / 28)
    expect(patches).toBeLessThanOrEqual(1568)
    expect(patches).toBeGreaterThan(1400)
    expect(view.width / view.height).toBeCloseTo(16 / 9, 1)
  })

  it('lead every point back to the pixel it shows', () => {
    const view = fitFor(screen, { longEdge: 1366 })
    for (let x = 0; x < view.width; x++) {
      const native = view.toNative({ x, y: 0 })
      expect(native.x).toBeGreaterThanOrEqual(0)
      expect(native.x).toBeLessThan(1920)
      expect(Math.abs(view.fromNative(native).x - x)).toBeLessThanOrEqual(0)
    }
    expect(view.toNative({ x: view.width - 1, y: view.height - 1 })).toEqual({ x: 1919, y: 1079 })
    expect(view.toNative({ x: 99_999, y: -5 })).toEqual({ x: 1919, y: 0 })
  })

  it('show a small mark where the mapping says it is', async () => {
    const sandbox = new DrawnSandbox(1280, 800)
    sandbox.fill(900, 500, 9, 9, 255)
    const view = fitFor(sandbox.screen, { longEdge: 640 })
    const small = await decodePng(await view.png(sandbox.frame()))
    const at = view.fromNative({ x: 904, y: 504 })
    expect(small.rgb[(at.y * small.width + at.x) * 3]).toBeGreaterThan(240)
  })
})

describe('frame differences', () => {
  it('are exact boxes, joined where they touch', () => {
    const sandbox = new DrawnSandbox()
    const before = sandbox.frame()
    sandbox.fill(100, 50, 70, 12, 200)
    sandbox.fill(400, 300, 3, 16, 200)
    const { boxes, share } = diffFrames(before, sandbox.frame())
    expect(boxes).toEqual([
      { x: 100, y: 50, width: 70, height: 12 },
      { x: 400, y: 300, width: 3, height: 16 },
    ])
    expect(share).toBeCloseTo((70 * 12 + 3 * 16) / (640 * 400), 6)
  })

  it('leave out ignored regions', () => {
    const sandbox = new DrawnSandbox()
    const before = sandbox.frame()
    sandbox.fill(100, 50, 20, 20, 200)
    expect(diffFrames(before, sandbox.frame(), [{ x: 95, y: 45, width: 30, height: 30 }]).boxes).toEqual([])
    expect(diffFrames(before, sandbox.frame(), [{ x: 95, y: 45, width: 15, height: 30 }]).boxes).toEqual([
      { x: 110, y: 50, width: 10, height: 20 },
    ])
  })

  it('cover everything when the size is another', () => {
    expect(diffFrames(noisy(10, 10), noisy(20, 10))).toEqual({
      boxes: [{ x: 0, y: 0, width: 20, height: 10 }],
      share: 1,
    })
  })
})
