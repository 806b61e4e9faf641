/** How much of its room a screen may leave unused for the sake of sharp letters. */
const mostUnused = 0.2

export type Fit = { width: number; whole: boolean }

/**
 * The width, in CSS pixels, at which a guest's screen is shown in a place that has room for `room`. Where a whole number
 * of the display's pixels for each of the guest's nearly fills the place, that is taken: nothing is blurred then.
 */
export function sharpFit(room: number, native: number, pixelRatio: number): Fit {
  const times = Math.floor((room * pixelRatio) / native)
  const width = (times * native) / pixelRatio
  return times >= 1 && width >= room * (1 - mostUnused) ? { width, whole: true } : { width: room, whole: false }
}
