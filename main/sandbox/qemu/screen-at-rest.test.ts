import { describe, expect, it } from 'vitest'
import type { RawFrame } from '../sandbox.ts'
import { screenAtRest } from './screen-at-rest.ts'

/** 720×400 with that many pixels lit from the upper left. */
function lit(pixels: number): RawFrame {
  return { width: 720, height: 400, rgb: Buffer.alloc(720 * 400 * 3).fill(255, 0, pixels * 3) }
}

/** Shows these one after the other, then the last for ever; tells how many were looked at. */
function film(frames: RawFrame[]) {
  let seen = 0
  return {
    capture: async () => frames[Math.min(seen++, frames.length - 1)] ?? lit(0),
    get seen() {
      return seen
    },
  }
}

const blink = Array.from({ length: 200 }, (_, index) => lit(index % 2 === 0 ? 0 : 18))

describe('a screen', () => {
  it('rests although its cursor blinks', async () => {
    const screen = film(blink)
    await screenAtRest(screen, { quietMs: 400, limitMs: 60_000 })
    expect(screen.seen).toBeLessThan(100)
  })

  it('does not rest while something is written on it, letter by letter', async () => {
    const letters = Array.from({ length: 8 }, (_, index) => lit(index * 100))
    const screen = film(letters)
    await screenAtRest(screen, { quietMs: 400, limitMs: 60_000 })
    expect(screen.seen).toBeGreaterThan(letters.length)
  })

  it('does not rest when it changes its size', async () => {
    const small = { width: 640, height: 400, rgb: Buffer.alloc(640 * 400 * 3) }
    const screen = film([lit(0), lit(0), small])
    await screenAtRest(screen, { quietMs: 400, limitMs: 60_000 })
    expect(screen.seen).toBeGreaterThan(4)
  })

  it('that never rests is taken as it is after the limit', async () => {
    const restless = Array.from({ length: 200 }, (_, index) => lit(index * 1000))
    const screen = film(restless)
    await screenAtRest(screen, { quietMs: 400, limitMs: 700 })
    expect(screen.seen).toBeLessThan(restless.length)
  })
})
