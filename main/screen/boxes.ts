import type { Point, Region } from '../contract/action.ts'

export function area(box: Region): number {
  return box.width * box.height
}

export function contains(outer: Region, inner: Region): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  )
}

/** Whether they overlap or come closer than `gap` pixels. */
export function touch(a: Region, b: Region, gap = 0): boolean {
  return (
    a.x < b.x + b.width + gap && b.x < a.x + a.width + gap && a.y < b.y + b.height + gap && b.y < a.y + a.height + gap
  )
}

export function union(a: Region, b: Region): Region {
  const x = Math.min(a.x, b.x)
  const y = Math.min(a.y, b.y)
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  }
}

export function centre(box: Region): Point {
  return { x: Math.floor(box.x + box.width / 2), y: Math.floor(box.y + box.height / 2) }
}

/** How much of `inner` lies within `outer`, from 0 to 1. */
export function overlap(outer: Region, inner: Region): number {
  const width = Math.min(outer.x + outer.width, inner.x + inner.width) - Math.max(outer.x, inner.x)
  const height = Math.min(outer.y + outer.height, inner.y + inner.height) - Math.max(outer.y, inner.y)
  return width <= 0 || height <= 0 ? 0 : (width * height) / area(inner)
}

/** Boxes that overlap or nearly touch become one, until none do. */
export function joinTouching(boxes: Region[], gap = 4): Region[] {
  const joined: Region[] = []
  for (const box of boxes) {
    let grown = box
    for (let n = joined.length - 1; n >= 0; n--) {
      const other = joined[n]
      if (other === undefined || !touch(grown, other, gap)) continue
      grown = union(grown, other)
      joined.splice(n, 1)
      n = joined.length // a grown box may touch one that was passed before
    }
    joined.push(grown)
  }
  return joined.toSorted((a, b) => a.y - b.y || a.x - b.x)
}
