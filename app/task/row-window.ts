/** Which rows of a long list are drawn, and how much room is kept for the others. */
export type RowWindow = { from: number; to: number; above: number; below: number }

type Heights = ReadonlyMap<number, number>

/** Rows nobody has drawn yet are taken to be as high as the others are on average. */
function heightIn(heights: Heights, usual: number): (row: number) => number {
  let known = 0
  for (const height of heights.values()) known += height
  const guess = heights.size > 0 ? known / heights.size : usual
  return (row) => heights.get(row) ?? guess
}

export function rowWindow(
  count: number,
  heights: Heights,
  usual: number,
  view: { top: number; height: number },
  margin: number,
): RowWindow {
  const heightOf = heightIn(heights, usual)
  let from = 0
  let above = 0
  while (from < count && above + heightOf(from) < view.top - margin) above += heightOf(from++)
  let to = from
  let bottom = above
  while (to < count && bottom < view.top + view.height + margin) bottom += heightOf(to++)
  let below = 0
  for (let row = to; row < count; row++) below += heightOf(row)
  return { from, to, above, below }
}

/** From where to where a row reaches, whether it is drawn or not. */
export function spanOf(row: number, heights: Heights, usual: number): { top: number; bottom: number } {
  const heightOf = heightIn(heights, usual)
  let top = 0
  for (let before = 0; before < row; before++) top += heightOf(before)
  return { top, bottom: top + heightOf(row) }
}
