import { describe, expect, it } from 'vitest'
import { sharpFit } from './sharp.ts'

describe('the size of a guest’s screen', () => {
  it('is pixel for pixel where the room is a little larger', () => {
    expect(sharpFit(1400, 1280, 1)).toEqual({ width: 1280, whole: true })
  })

  it('doubles each pixel on a display of twice the density', () => {
    expect(sharpFit(1400, 1280, 2)).toEqual({ width: 1280, whole: true })
    expect(sharpFit(700, 1280, 2)).toEqual({ width: 640, whole: true })
  })

  it('fills the room where whole pixels would waste too much of it, or do not fit', () => {
    expect(sharpFit(2200, 1280, 1)).toEqual({ width: 2200, whole: false })
    expect(sharpFit(900, 1280, 1)).toEqual({ width: 900, whole: false })
  })
})
