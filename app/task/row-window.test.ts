import { describe, expect, it } from 'vitest'
import { rowWindow, spanOf } from './row-window.ts'

const view = (top: number) => ({ top, height: 500 })

describe('the drawn part of a long list', () => {
  it('is what is in sight and a little around it, with room kept for the rest', () => {
    expect(rowWindow(1000, new Map(), 100, view(0), 200)).toEqual({ from: 0, to: 7, above: 0, below: 99_300 })
    expect(rowWindow(1000, new Map(), 100, view(5000), 200)).toEqual({ from: 47, to: 57, above: 4700, below: 94_300 })
  })

  it('ends with the list', () => {
    expect(rowWindow(3, new Map(), 100, view(0), 200)).toEqual({ from: 0, to: 3, above: 0, below: 0 })
    expect(rowWindow(0, new Map(), 100, view(0), 200)).toEqual({ from: 0, to: 0, above: 0, below: 0 })
  })

  it('goes by the heights that are known, and by their average for the others', () => {
    const heights = new Map([
      [0, 300],
      [1, 100],
    ])
    expect(rowWindow(10, heights, 50, view(450), 0)).toEqual({ from: 2, to: 5, above: 400, below: 1000 })
    expect(spanOf(2, heights, 50)).toEqual({ top: 400, bottom: 600 })
  })
})
