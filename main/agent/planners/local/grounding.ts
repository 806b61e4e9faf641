import type { Point } from '../../../contract/action.ts'
import type { Axis, Mapping } from '../../../contract/model.ts'

/** How the numbers a model gives for a place relate to the screen. */

export type Space = 'pixels' | 'thousand' | 'unit'
type Size = { width: number; height: number }

/** `pixels` are those of the picture that was sent; a pixel stands for its middle. */
export function mappingOf(space: Space, picture: Size): Mapping {
  if (space === 'thousand') return { x: { scale: 1 / 1000, offset: 0 }, y: { scale: 1 / 1000, offset: 0 } }
  if (space === 'unit') return { x: { scale: 1, offset: 0 }, y: { scale: 1, offset: 0 } }
  const pixel = (size: number): Axis => ({ scale: 1 / size, offset: 0.5 / size })
  return { x: pixel(picture.width), y: pixel(picture.height) }
}

/** A little beside the screen is its edge; more than that is a mistake. */
const SLACK = 0.02

/** Null when it is not on the screen. */
export function placeOn(mapping: Mapping, screen: Size, { x, y }: Point): Point | null {
  const along = (value: number, axis: Axis, size: number) => {
    const share = value * axis.scale + axis.offset
    if (!(share >= -SLACK && share <= 1 + SLACK)) return null
    return Math.min(size - 1, Math.max(0, Math.floor(share * size)))
  }
  const px = along(x, mapping.x, screen.width)
  const py = along(y, mapping.y, screen.height)
  return px === null || py === null ? null : { x: px, y: py }
}
