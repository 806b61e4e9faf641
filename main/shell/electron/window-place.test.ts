import { describe, expect, it } from 'vitest'
import { placeWindow } from './window-place.ts'

const main = { x: 0, y: 25, width: 1920, height: 1055 }
const right = { x: 1920, y: 0, width: 2560, height: 1440 }
const place = (x: number, y: number, width = 1200, height = 800) => ({
  bounds: { x, y, width, height },
  maximized: false,
})

describe('the place of the window', () => {
  it('is the middle of the main screen at the first start', () => {
    expect(placeWindow(null, [main, right])).toEqual(place(240, 92, 1440, 920))
  })

  it('is where it was, on whichever screen that is', () => {
    expect(placeWindow(place(300, 100), [main, right])).toEqual(place(300, 100))
    expect(placeWindow(place(2500, 300), [main, right])).toEqual(place(2500, 300))
  })

  it('is the main screen again when the other one is gone', () => {
    expect(placeWindow(place(2500, 300), [main])).toEqual(place(360, 152))
  })

  it('is given up when too little of it would be seen to take hold of', () => {
    expect(placeWindow(place(1900, 300), [main])).toEqual(place(360, 152))
    expect(placeWindow(place(300, 1050), [main])).toEqual(place(360, 152))
    expect(placeWindow(place(-1190, 300), [main])).toEqual(place(360, 152))
  })

  it('is pushed below the menu bar when its title would lie under it', () => {
    expect(placeWindow(place(300, 0), [main]).bounds.y).toBe(25)
  })

  it('is no larger than its screen and no smaller than what the page needs', () => {
    expect(placeWindow(place(0, 25, 4000, 3000), [main]).bounds).toMatchObject({ width: 1920, height: 1055 })
    expect(placeWindow(place(10, 30, 20, 20), [main]).bounds).toMatchObject({ width: 900, height: 600 })
    expect(placeWindow(null, [{ x: 0, y: 0, width: 800, height: 480 }]).bounds).toEqual({
      x: 0,
      y: 0,
      width: 800,
      height: 480,
    })
  })

  it('stays maximised', () => {
    expect(placeWindow({ ...place(300, 100), maximized: true }, [main]).maximized).toBe(true)
  })
})
